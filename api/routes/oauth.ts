import type { Request, Response, Router } from 'express';
import { endInstallations } from '../../bot/engine/accounts/installations.ts';
import type { Connector } from '../../bot/engine/connectors/connector.ts';
import { consumeState, keepState, newState } from '../../bot/engine/connectors/oauthState.ts';
import { cardOf, connectionTo, connectorOf } from '../../bot/engine/connectors/registry.ts';
import { channelOfIntegration, type RemoteChannel } from '../../models/contracts/channels.ts';
import { serviceNamesOf, toolBegun } from '../../models/contracts/connectors.ts';
import { AppError, type ErrorCode } from '../../models/contracts/errors.ts';
import { integrationIdOf } from '../../models/contracts/integrations.ts';
import * as contract from '../../models/contracts/oauth.ts';
import { findTool } from '../../models/contracts/tools.ts';
import { logger } from '../../models/logger.ts';
import { may } from '../../models/policies/actions.ts';
import type { Who } from '../../models/policies/who.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';

/** Pages on which a connection may start and to which it may return. */
const PAGES = /^\/(workspace|#integrations|auth)?(\?[\w=&-]*)?(#[\w-]*)?$/;

/** Error codes with a reason of their own; all others mean that the provider refused. */
const REASONS: Partial<Record<ErrorCode, contract.ReturnReason>> = {
  connected_elsewhere: 'connected_elsewhere',
  provider_unavailable: 'temporarily_unavailable',
};

type Outcome = {
  oauth: 'success' | 'error';
  service: string;
  agent?: string | undefined;
  /** A code; the page has the text. */
  error?: contract.ReturnReason;
};

/** Redirects to the starting page with the outcome in the query. */
export function goBack(response: Response, from: string, outcome: Outcome) {
  const [page = '/', fragment] = (PAGES.test(from) ? from : '/').split('#');
  const [path, before] = page.split('?');
  const query = new URLSearchParams(before);
  // The page reads the first of each name: a starting page that has one must not hide the outcome.
  for (const name of ['oauth', 'service', 'agent', 'error'] as const) {
    query.delete(name);
    const value = outcome[name];
    if (value !== undefined) query.set(name, value);
  }
  response.redirect(`${path}?${query}${fragment ? `#${fragment}` : ''}`);
  return ANSWERED;
}

/** Redirects to the provider's page, or back with the reason where connecting is not possible. */
async function begin(
  connector: Connector | undefined,
  { who, request, response }: { who: Who; request: Request; response: Response },
  it: { service: string; from: string; agent: string | undefined },
) {
  const { service, from, agent } = it;
  if (!may(who, 'integration.connect')) {
    return goBack(response, from, { oauth: 'error', service, agent, error: 'owner_only' });
  }
  if (!connector) {
    return goBack(response, from, {
      oauth: 'error',
      service,
      agent,
      error: 'not_configured',
    });
  }
  const state = newState();
  const { address, kept = null } = await connector.begin(who, { service, state });
  const begun = { service, from: PAGES.test(from) ? from : '/', agent: agent ?? null, kept };
  await keepState(who, request.sessionID, state, begun);
  response.redirect(address);
  return ANSWERED;
}

/** OAuth: where connecting starts, and where providers redirect to. */
export function oauthRoutes(router: Router): void {
  bind(router, contract.beginConnection, ({ who, params, query, request, response }) => {
    const { agent, from = '/#integrations' } = query;
    const card = cardOf(params.service);
    const service = card ? toolBegun(card, params.service, query.scope) : params.service;
    // Built-in tools need no consent.
    if (findTool(service)?.kind === 'engine') return goBack(response, from, { oauth: 'success', service, agent });
    return begin(connectorOf(service), { who, request, response }, { service, from, agent });
  });

  bind(router, contract.finishConnection, async ({ who, params, query, request, response }) => {
    const { service } = params;
    const card = cardOf(service);
    const connector = connectorOf(service);
    const names = card ? serviceNamesOf(card) : [service];
    const begun = query.state ? await consumeState(who, request.sessionID, names, query.state) : null;
    if (!connector || !begun) {
      return goBack(response, '/#integrations', { oauth: 'error', service, error: 'not_begun_here' });
    }
    const back = { service: begun.service, agent: begun.agent ?? undefined };
    if (!may(who, 'integration.connect')) {
      return goBack(response, begun.from, { oauth: 'error', ...back, error: 'owner_only' });
    }
    if (!query.code || !query.state)
      return goBack(response, begun.from, { oauth: 'error', ...back, error: 'access_denied' });
    try {
      await connector.connect(who, { code: query.code, state: query.state, kept: begun.kept });
      return goBack(response, begun.from, { oauth: 'success', ...back });
    } catch (error) {
      if (!(error instanceof AppError)) logger.error({ err: error, service }, 'connecting failed');
      const reason = error instanceof AppError ? (REASONS[error.code] ?? 'connection_refused') : 'internal';
      return goBack(response, begun.from, { oauth: 'error', ...back, error: reason });
    }
  });

  bind(router, contract.initiateConnection, ({ who, params, query, request, response }) =>
    begin(
      connectorOf(params.service),
      { who, request, response },
      {
        service: params.service,
        from: query.from ?? '/#integrations',
        agent: query.agent,
      },
    ),
  );

  bind(router, contract.disconnect, async ({ who, params }) => {
    const connection = connectionTo(params.service);
    if (connection) return { success: true as const, revoked: await connection.disconnect(who) };
    const channel = channelOfIntegration(integrationIdOf(params.service));
    if (!channel?.isRemote) throw new AppError('not_found');
    return { success: true as const, revoked: await endInstallations(who, channel.id as RemoteChannel) };
  });
}

import type { Response, Router } from 'express';
import { findTool } from '../../models/contracts/catalogue.ts';
import { INTEGRATIONS } from '../../models/contracts/integrations.ts';
import * as contract from '../../models/contracts/oauth.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';

/** Pages that a connection may begin on and return to. */
const PAGES = /^\/(workspace|#integrations|auth)?(\?[\w=&-]*)?(#[\w-]*)?$/;

/** Back to the page that began, with what came of it. */
function goBack(response: Response, from: string, outcome: Record<string, string | undefined>) {
  const [path = '/', fragment] = (PAGES.test(from) ? from : '/').split('#');
  const query = new URLSearchParams(
    Object.entries(outcome).filter((it): it is [string, string] => it[1] !== undefined),
  );
  response.redirect(`${path}${path.includes('?') ? '&' : '?'}${query}${fragment ? `#${fragment}` : ''}`);
  return ANSWERED;
}

const nameOf = (service: string) =>
  INTEGRATIONS.find(({ id }) => id === service)?.name ?? findTool(service)?.name ?? service;

/** Where connecting and provider logins begin. No vendor is configured yet: each says so on the page it came from. */
export function oauthRoutes(router: Router): void {
  bind(router, contract.providerLogin, ({ params, response }) =>
    goBack(response, '/auth', {
      oauth: 'error',
      service: params.provider,
      error: `Logging in with ${params.provider === 'google' ? 'Google' : 'Microsoft'} is not configured on this server.`,
    }),
  );

  bind(router, contract.beginConnection, ({ params, query, response }) => {
    const { agent, from = '/#integrations' } = query;
    const service =
      params.service === 'google' ? (query.scope === 'docs' ? 'googledocs' : 'googledrive') : params.service;
    // The built-in project builder has nothing to ask anybody.
    if (service === 'bolt') return goBack(response, from, { oauth: 'success', service, agent });
    return goBack(response, from, {
      oauth: 'error',
      service,
      agent,
      error: `${nameOf(service)} is not configured on this server.`,
    });
  });

  bind(router, contract.initiateConnection, ({ params, query, response }) =>
    goBack(response, query.from ?? '/#integrations', {
      oauth: 'error',
      service: params.service,
      agent: query.agent,
      error: `${nameOf(params.service)} is not configured on this server.`,
    }),
  );
}

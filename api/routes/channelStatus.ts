import type { Router } from 'express';
import { readEngineStatus } from '../../bot/engine/accounts/engineStatus.ts';
import { makeShortToken, SHORT_TOKEN_SECONDS } from '../../bot/engine/accounts/shortTokens.ts';
import * as contract from '../../models/contracts/channelStatus.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { baseUrl } from '../../models/env.ts';
import type { Who } from '../../models/policies/who.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { TEAMS_PACKAGE, teamsPackage } from '../present/teamsPackage.ts';

const SLACK_MISSING = 'Slack is not configured on this server. An administrator has to set its credentials first.';
const TEAMS_MISSING =
  'Microsoft Teams is not configured on this server. An administrator has to set its credentials first.';

const NOT_HTTPS =
  'Teams opens https addresses only. An administrator has to set BASE_URL to the https address that people use.';

export type ChannelTests = {
  /** Asks Slack whether the account's installation answers. @returns what is wrong, or null */
  slack?(accountId: number): Promise<string | null>;
  teams?: {
    /** How the account's Teams stands. @returns what is wrong, or null */
    test(accountId: number): Promise<string | null>;
    /** Keeps an account's own registration. @throws AppError not_available */
    connect(who: Who, registration: { appId: string; appPassword: string; tenantId: string }): Promise<void>;
    /** Organisations that wait for an owner of the account to connect them. */
    waiting(accountId: number): Promise<{ id: string; tenantId: string; by: string; at: Date }[]>;
    /** Connects one that waits. @throws AppError not_found, not_available */
    confirm(who: Who, id: string): Promise<void>;
    /** Whom the token of the tab stands for. @throws AppError not_signed_in, not_allowed, not_available */
    whoInTab(token: string): Promise<Who>;
    /** The app and tenant that the account's package names. */
    registrationFor(accountId: number): Promise<{ appId: string; tenantId: string }>;
  };
};

/** How the channels stand. */
export function channelStatusRoutes(router: Router, tests: ChannelTests = {}): void {
  bind(router, contract.slackTest, async ({ who }) => {
    const error = tests.slack ? await tests.slack(who.accountId) : SLACK_MISSING;
    return { success: error === null, error };
  });

  bind(router, contract.arcStatus, ({ who }) => readEngineStatus(who.accountId));

  bind(router, contract.teamsStatus, async ({ who }) => {
    const error = tests.teams ? await tests.teams.test(who.accountId) : TEAMS_MISSING;
    return {
      success: true,
      status: error === null ? 'active' : 'inactive',
      appId: tests.teams ? 'configured' : 'not configured',
      // As Microsoft reaches it, which need not be the address in somebody's browser.
      endpoint: new URL('/api/messages', baseUrl()).href,
      error,
    };
  });

  bind(router, contract.connectTeams, async ({ who, body }) => {
    if (!tests.teams) throw new AppError('not_configured', { text: TEAMS_MISSING });
    await tests.teams.connect(who, body);
    return { success: true as const };
  });

  bind(router, contract.listWaitingTenants, async ({ who }) => {
    const waiting = (await tests.teams?.waiting(who.accountId)) ?? [];
    return waiting.map(({ at, ...tenant }) => ({ ...tenant, at: at.toISOString() }));
  });

  bind(router, contract.confirmTenant, async ({ who, params }) => {
    if (!tests.teams) throw new AppError('not_configured', { text: TEAMS_MISSING });
    await tests.teams.confirm(who, params.id);
    return { success: true as const };
  });

  bind(router, contract.openTeamsTab, async ({ body }) => {
    if (!tests.teams) throw new AppError('not_configured', { text: TEAMS_MISSING });
    const token = await makeShortToken(await tests.teams.whoInTab(body.token));
    return { token, seconds: SHORT_TOKEN_SECONDS };
  });

  bind(router, contract.generateManifest, async ({ who, response }) => {
    if (!tests.teams) throw new AppError('not_configured', { text: TEAMS_MISSING });
    if (!baseUrl().startsWith('https://')) throw new AppError('not_configured', { text: NOT_HTTPS });
    const { appId, tenantId } = await tests.teams.registrationFor(who.accountId);
    const bytes = teamsPackage({ appId, tenantId, baseUrl: baseUrl() });
    response.attachment(TEAMS_PACKAGE).type('application/zip').set('Cache-Control', 'no-store').send(bytes);
    return ANSWERED;
  });
}

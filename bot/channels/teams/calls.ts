import { AppError } from '../../../models/contracts/errors.ts';
import * as contract from '../../../models/contracts/teams/calls.ts';
import { teamsCard } from '../../../models/contracts/teams/card.ts';
import { baseUrl, isConfigured } from '../../../models/env.ts';
import { notConfiguredText } from '../../engine/accounts/integrations.ts';
import { makeShortToken, SHORT_TOKEN_SECONDS } from '../../engine/accounts/shortTokens.ts';
import { type Call, defineCall, FileAnswer } from '../../engine/calls/call.ts';
import { TEAMS_PACKAGE, teamsPackage } from './install/appPackage.ts';
import { MESSAGES_PATH } from './platform/address.ts';

const MISSING = notConfiguredText(teamsCard.name);
const NOT_HTTPS =
  'Teams opens https addresses only. An administrator has to set BASE_URL to the https address that people use.';

// Loaded on first use, because these load the platform's library.
const claims = () => import('./install/claims.ts');
const connect = () => import('./install/connect.ts');
const installations = () => import('./install/installations.ts');
const tab = () => import('./identity/tab.ts');

/** @throws AppError not_configured */
function requireConfigured(): void {
  if (!isConfigured(teamsCard)) throw new AppError('not_configured', { text: MISSING });
}

/** The calls of Teams' own pages. */
export const calls: readonly Call[] = [
  defineCall(contract.teamsStatus, async ({ who }) => {
    const configured = isConfigured(teamsCard);
    const error = configured ? await (await connect()).testTeams(who.accountId) : MISSING;
    return {
      success: true,
      status: error === null ? 'active' : 'inactive',
      appId: configured ? 'configured' : 'not configured',
      // The address that Microsoft calls, which may differ from the one in the browser.
      endpoint: new URL(MESSAGES_PATH, baseUrl()).href,
      error,
    };
  }),

  defineCall(contract.connectTeams, async ({ who, body }) => {
    requireConfigured();
    await (await connect()).connectRegistration(who, body);
    return { success: true as const };
  }),

  defineCall(contract.listWaitingTenants, async ({ who }) => {
    const waiting = isConfigured(teamsCard) ? await (await claims()).listWaitingTenants(who.accountId) : [];
    return waiting.map(({ at, ...tenant }) => ({ ...tenant, at: at.toISOString() }));
  }),

  defineCall(contract.confirmTenant, async ({ who, params }) => {
    requireConfigured();
    await (await claims()).confirmTenant(who, params.id);
    return { success: true as const };
  }),

  defineCall(contract.openTeamsTab, async ({ body }) => {
    requireConfigured();
    const token = await makeShortToken(await (await tab()).whoInTab(body.token));
    return { token, seconds: SHORT_TOKEN_SECONDS };
  }),

  defineCall(contract.generateManifest, async ({ who }) => {
    requireConfigured();
    if (!baseUrl().startsWith('https://')) throw new AppError('not_configured', { text: NOT_HTTPS });
    const { appId, tenantId } = await (await installations()).readAccountRegistration(who.accountId);
    const bytes = teamsPackage({ appId, tenantId, baseUrl: baseUrl() });
    return new FileAnswer({ bytes, fileName: TEAMS_PACKAGE, contentType: 'application/zip' });
  }),
];

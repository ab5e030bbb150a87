import type { Router } from 'express';
import { readEngineStatus } from '../../bot/engine/accounts/engineStatus.ts';
import * as contract from '../../models/contracts/channelStatus.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { bind } from '../middleware/bind.ts';

const SLACK_MISSING = 'Slack is not configured on this server. An administrator has to set its credentials first.';
const TEAMS_MISSING =
  'Microsoft Teams is not configured on this server. An administrator has to set its credentials first.';

export type ChannelTests = {
  /** Asks Slack whether the account's installation answers. @returns what is wrong, or null */
  slack?(accountId: number): Promise<string | null>;
};

/** How the channels stand. */
export function channelStatusRoutes(router: Router, tests: ChannelTests = {}): void {
  bind(router, contract.slackTest, async ({ who }) => {
    const error = tests.slack ? await tests.slack(who.accountId) : SLACK_MISSING;
    return { success: error === null, error };
  });

  bind(router, contract.arcStatus, ({ who }) => readEngineStatus(who.accountId));

  bind(router, contract.teamsStatus, () => ({
    success: true,
    status: 'inactive',
    appId: 'not configured',
    endpoint: '/api/messages',
    error: TEAMS_MISSING,
  }));

  bind(router, contract.generateManifest, () => {
    throw new AppError('not_configured', { text: TEAMS_MISSING });
  });
}

import { WebClient } from '@slack/web-api';
import { BOT_SCOPES } from '../../../manifests/slackScopes.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { baseUrl, env } from '../../../models/env.ts';
import type { Connector } from '../../engine/connectors/connector.ts';
import { clientOptions } from './client.ts';
import { clientOf, findInstallation, installationsOf, storeInstallation } from './installations.ts';

const redirectUri = () => `${baseUrl()}/api/oauth/slack/callback`;

/** Slack's authorisation page, relative to its API: https://slack.com/oauth/v2/authorize. */
const authorizeAddress = () => new URL('../oauth/v2/authorize', env.SLACK_API_URL).href;

/** Installs Arc into a workspace or an organisation. */
export const slackConnector: Connector = {
  begin(_who, { state }) {
    const query = new URLSearchParams({
      client_id: env.SLACK_CLIENT_ID,
      scope: BOT_SCOPES.join(','),
      redirect_uri: redirectUri(),
      state,
    });
    return { address: `${authorizeAddress()}?${query}` };
  },

  async connect(who, { code }) {
    const answer = await new WebClient(undefined, clientOptions).oauth.v2
      .access({
        client_id: env.SLACK_CLIENT_ID,
        client_secret: env.SLACK_CLIENT_SECRET,
        code,
        redirect_uri: redirectUri(),
      })
      .catch((cause: unknown) => {
        throw new AppError(
          'not_available',
          { text: 'Slack did not accept the connection. Please try again.' },
          { cause },
        );
      });
    const botToken = answer.access_token;
    if (!botToken || !answer.bot_user_id) {
      throw new AppError('not_available', { text: 'Slack sent no token for the app. Please try again.' });
    }
    const test = await new WebClient(botToken, clientOptions).auth.test().catch((cause: unknown) => {
      throw new AppError(
        'not_available',
        { text: 'Slack sent a token, but a test call with it failed. Please try again.' },
        { cause },
      );
    });
    const organisation = answer.is_enterprise_install === true;
    await storeInstallation(
      who.accountId,
      who.userId,
      (organisation ? answer.enterprise?.name : answer.team?.name) ?? 'Slack',
      {
        botToken,
        botUserId: answer.bot_user_id,
        botId: String(test.bot_id ?? ''),
        refreshToken: answer.refresh_token ?? null,
        expiresAt: answer.expires_in ? Math.floor(Date.now() / 1000) + answer.expires_in : null,
        teamId: answer.team?.id ?? null,
        enterpriseId: answer.enterprise?.id ?? null,
      },
      organisation,
    );
  },
};

/**
 * Tests each Slack installation of an account.
 * @returns the first problem, for people to read; null where there is none
 */
export async function testSlack(accountId: number): Promise<string | null> {
  const rows = await installationsOf(accountId);
  if (rows.length === 0) return 'Slack is not connected. Connect it under Integrations.';
  for (const row of rows) {
    const installation = await findInstallation(row.key).catch(() => null);
    const failed = installation
      ? await clientOf(installation)
          .auth.test()
          .then(
            () => null,
            (error: { data?: { error?: string } }) => error.data?.error ?? 'no answer',
          )
      : 'not installed';
    if (failed) return `Slack does not answer for ${row.name}: ${failed}.`;
  }
  return null;
}

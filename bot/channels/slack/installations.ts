import { WebClient, type WebClientOptions } from '@slack/web-api';
import { Types } from 'mongoose';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import { changes } from '../../../models/store/revisions.ts';
import { isEnabled, noteConnection } from '../../engine/accounts/integrations.ts';

/** What is kept of an installation, sealed. Times in seconds since 1970. */
export type SlackTokens = {
  botToken: string;
  botUserId: string;
  botId: string;
  refreshToken: string | null;
  expiresAt: number | null;
  teamId: string | null;
  enterpriseId: string | null;
};
export type SlackInstallation = { row: ChannelInstallationRow; tokens: SlackTokens };

/** The key of an installation: the organisation's where it is the organisation's, else the workspace's. */
export const keyOf = (it: {
  teamId?: string | null | undefined;
  enterpriseId?: string | null | undefined;
  isEnterpriseInstall?: boolean | undefined;
}) => (it.isEnterpriseInstall ? it.enterpriseId : it.teamId) ?? '';

const contextOf = (key: string) => `slack:${key}`;
/** A token is renewed this long before it ends, in seconds. */
const RENEW_SECONDS = 300;
const KEPT_MILLISECONDS = 30_000;
const kept = new Map<string, { installation: SlackInstallation; until: number }>();
changes.on('changed', (accountId, topics) => {
  if (!topics.includes('integrations')) return;
  for (const [key, { installation }] of kept) if (installation.row.accountId === accountId) kept.delete(key);
});

/** How every call to Slack is made: a slow-down is waited for here for a short while, and by the outbox for a long one. */
export const clientOptions: WebClientOptions = {
  slackApiUrl: env.SLACK_API_URL,
  retryConfig: { retries: 2, minTimeout: 200, maxTimeout: 2000 },
  rejectRateLimitedCalls: true,
  timeout: 10_000,
};

/** A client with an installation's token. */
export const clientOf = ({ tokens }: SlackInstallation) =>
  new WebClient(tokens.botToken, { ...clientOptions, ...(tokens.teamId ? { teamId: tokens.teamId } : {}) });

/** Keeps an installation, once per workspace, and switches Slack on for the account. */
export async function storeInstallation(
  accountId: number,
  installedBy: number,
  name: string,
  tokens: SlackTokens,
  isEnterpriseInstall: boolean,
): Promise<void> {
  const key = keyOf({ ...tokens, isEnterpriseInstall });
  const before = await ChannelInstallation.findOne({ channel: 'slack', key }, { accountId: 1, revokedAt: 1 }).lean();
  const standing = before?.revokedAt === null ? before : null;
  if (standing && standing.accountId !== accountId) {
    throw new AppError('not_available', { text: `The Slack workspace ${name} is connected to another Arc account.` });
  }
  // Whom another account admitted is not admitted by this one.
  const admits = before && before.accountId !== accountId ? { admits: 'members' as const } : {};
  const change = { accountId, name, sealed: seal(tokens, contextOf(key)), installedBy, revokedAt: null, error: null };
  await ChannelInstallation.updateOne(
    { channel: 'slack', key },
    {
      $set: { ...change, ...admits },
      $setOnInsert: { _id: new Types.ObjectId(), createdAt: new Date(), ...(before ? {} : { admits: 'members' }) },
    },
    { upsert: true },
  );
  kept.delete(key);
  await runInAccount(accountId, () => noteConnection(accountId, 'slack', true));
}

/** The installation of a workspace or organisation, its token renewed where it ends soon; null where there is none. */
export async function findInstallation(key: string): Promise<SlackInstallation | null> {
  const known = kept.get(key);
  if (known && known.until > Date.now()) return known.installation;
  const row = await ChannelInstallation.findOne({ channel: 'slack', key, revokedAt: null }).lean();
  // Switched off under Integrations, Arc neither hears nor speaks there.
  if (!row || !(await runInAccount(row.accountId, () => isEnabled(row.accountId, 'slack')))) return null;
  const installation = await renew({ row, tokens: unseal<SlackTokens>(row.sealed, contextOf(key)) });
  kept.set(key, { installation, until: Date.now() + KEPT_MILLISECONDS });
  return installation;
}

/** The account's installations. */
export const installationsOf = (accountId: number) =>
  ChannelInstallation.find({ channel: 'slack', accountId, revokedAt: null }).lean() as Promise<
    ChannelInstallationRow[]
  >;

async function renew(installation: SlackInstallation): Promise<SlackInstallation> {
  const { row, tokens } = installation;
  if (!tokens.expiresAt || !tokens.refreshToken || tokens.expiresAt - RENEW_SECONDS > Date.now() / 1000)
    return installation;
  const answer = await new WebClient(undefined, clientOptions).oauth.v2.access({
    client_id: env.SLACK_CLIENT_ID,
    client_secret: env.SLACK_CLIENT_SECRET,
    grant_type: 'refresh_token',
    refresh_token: tokens.refreshToken,
  });
  const renewed: SlackTokens = {
    ...tokens,
    botToken: answer.access_token ?? tokens.botToken,
    refreshToken: answer.refresh_token ?? tokens.refreshToken,
    expiresAt: answer.expires_in ? Math.floor(Date.now() / 1000) + answer.expires_in : null,
  };
  await ChannelInstallation.updateOne({ _id: row._id }, { $set: { sealed: seal(renewed, contextOf(row.key)) } });
  return { row, tokens: renewed };
}

/** Slack took the installation back: its tokens go, and the account's screen says so. */
export async function removeInstallation(key: string, why: string): Promise<void> {
  kept.delete(key);
  const row = await ChannelInstallation.findOneAndUpdate(
    { channel: 'slack', key, revokedAt: null },
    { $set: { revokedAt: new Date(), sealed: seal(null, contextOf(key)), error: why } },
  ).lean();
  if (!row) return;
  logger.info({ account: row.accountId, key }, 'Slack installation ended');
  const left = await installationsOf(row.accountId);
  if (left.length === 0) await runInAccount(row.accountId, () => noteConnection(row.accountId, 'slack', false, why));
}

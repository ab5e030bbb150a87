import { setTimeout as wait } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import { slackCard } from '../../../models/contracts/slack/card.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { forgetWhere, makeCache } from '../../../models/store/cache.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { seal } from '../../../models/store/encrypted.ts';
import { changes } from '../../../models/store/revisions.ts';
import {
  installationContext,
  keepInstallation,
  onInstallationEnded,
  readInstallations,
} from '../../engine/accounts/installations.ts';
import { isEnabled, noteConnection } from '../../engine/accounts/integrations.ts';
import { PermanentError } from '../../engine/delivery/permanentError.ts';
import { notRenewedText, withdrawnText } from '../../engine/grants/brokenTexts.ts';
import { type Grant, makeGrants, type Tokens } from '../../engine/grants/makeGrants.ts';
import { placeOf } from './address.ts';
import { clientOptions, isNotRenewable, isRevoked, makeClient } from './client.ts';

/** An installation's tokens, stored encrypted. Times are in seconds since 1970. */
export type SlackTokens = Tokens & {
  botToken: string;
  botUserId: string;
  botId: string;
  teamId: string | null;
  enterpriseId: string | null;
};
export type SlackInstallation = Grant<SlackTokens, ChannelInstallationRow>;

/** The key of an installation: the organisation's id for one of a whole organisation, else the workspace's. */
export const keyOf = (it: {
  teamId?: string | null | undefined;
  enterpriseId?: string | null | undefined;
  isEnterpriseInstall?: boolean | undefined;
}) => (it.isEnterpriseInstall ? it.enterpriseId : it.teamId) ?? '';

const RENEWAL_TIMEOUT_MS = 8000;
const CACHE_MS = 30_000;
const cache = makeCache<string, SlackInstallation>(CACHE_MS);
changes.on('changed', (accountId, topics) => {
  if (!topics.includes('integrations')) return;
  forgetWhere(cache, ({ row }) => row.accountId === accountId);
});

const grants = makeGrants<SlackTokens, ChannelInstallationRow>({
  entity: ChannelInstallation,
  contextOf: installationContext,
  renew: renewTokens,
  isRefusal: isNotRenewable,
  refusedText: notRenewedText(slackCard.name),
  onEnded: onInstallationEnded,
});

const clients = new WeakMap<SlackInstallation, WebClient>();

/** A client with an installation's token. When Slack says that the token is invalid, the installation ends. */
export function clientOf(installation: SlackInstallation): WebClient {
  const { row, tokens } = installation;
  const made =
    clients.get(installation) ??
    makeClient(tokens.botToken, tokens.teamId, () =>
      removeInstallation(row.key, withdrawnText(slackCard.name), {
        token: tokens.botToken,
      }),
    );
  clients.set(installation, made);
  return made;
}

/** Stores an installation, one per workspace, and switches Slack on for the account. */
export async function storeInstallation(
  accountId: number,
  installedBy: number,
  name: string,
  tokens: SlackTokens,
  isEnterpriseInstall: boolean,
): Promise<void> {
  const key = keyOf({ ...tokens, isEnterpriseInstall });
  const sealed = seal(tokens, installationContext({ channel: 'slack', key }));
  await keepInstallation(
    { accountId, channel: 'slack', key, name, sealed, installedBy },
    `The Slack workspace ${name}`,
  );
  cache.delete(key);
  await runInAccount(accountId, () => noteConnection(accountId, 'slack', true));
}

/**
 * The installation of a workspace or organisation, with its token renewed if it expires soon; null where there is none.
 */
export async function findInstallation(key: string): Promise<SlackInstallation | null> {
  const known = cache.get(key);
  if (known) return known;
  const stored = await readInstallation(key);
  if (!stored) return null;
  // Switched off under Integrations, Arc neither receives nor sends anything.
  const { accountId } = stored.row;
  if (!(await runInAccount(accountId, () => isEnabled(accountId, 'slack')))) return null;
  const installation = await grants.freshen(stored);
  if (!installation) return null;
  cache.set(key, installation);
  return installation;
}

/**
 * The installation that a conversation belongs to.
 * @throws PermanentError where there is none any more, or it is switched off; the message stays readable on the web
 */
export async function installationOf({ address }: ConversationRow): Promise<SlackInstallation> {
  const found = await findInstallation(placeOf(address).key);
  if (!found) throw new PermanentError('Slack is no longer connected for this conversation.');
  return found;
}

async function readInstallation(key: string): Promise<SlackInstallation | null> {
  const row = await ChannelInstallation.findOne({ channel: 'slack', key, revokedAt: null }).lean();
  return row && grants.open(row);
}

/** The installation of a workspace, or else of its organisation. */
export async function findInstallationFor(it: Parameters<typeof keyOf>[0]): Promise<SlackInstallation | null> {
  const own = await findInstallation(keyOf(it));
  return own ?? (it.enterpriseId && !it.isEnterpriseInstall ? findInstallation(it.enterpriseId) : null);
}

/** The account's installations. */
export const installationsOf = (accountId: number) => readInstallations(accountId, 'slack');

/** Asks Slack for new tokens. All retries together end before another process would start a renewal. */
async function renewTokens(tokens: SlackTokens): Promise<SlackTokens> {
  const answer = await new WebClient(undefined, { ...clientOptions, timeout: RENEWAL_TIMEOUT_MS }).oauth.v2.access({
    client_id: env.SLACK_CLIENT_ID,
    client_secret: env.SLACK_CLIENT_SECRET,
    grant_type: 'refresh_token',
    refresh_token: tokens.refreshToken ?? '',
  });
  return {
    ...tokens,
    botToken: answer.access_token ?? tokens.botToken,
    refreshToken: answer.refresh_token ?? tokens.refreshToken,
    expiresAt: answer.expires_in ? Math.floor(Date.now() / 1000) + answer.expires_in : null,
  };
}

/**
 * Revokes an installation's tokens at Slack; when Slack limits the rate, again after the time that it names.
 * @throws where Slack did not confirm
 */
export async function revokeTokens(row: ChannelInstallationRow, signal: AbortSignal): Promise<void> {
  const grant = await grants.freshen(grants.open(row));
  // Slack no longer renews the tokens: they are revoked.
  if (!grant) return;
  // Not the installation's own client: it would end the installation when the token turns out to be revoked.
  const client = new WebClient(grant.tokens.botToken, clientOptions);
  while (!signal.aborted) {
    try {
      const { revoked } = (await client.auth.revoke()) as { revoked?: boolean };
      if (!revoked) throw new Error('Slack answered that the token is not revoked.');
      return;
    } catch (error) {
      if (isRevoked(error)) return;
      const { retryAfter } = error as { retryAfter?: number };
      if (!retryAfter) throw error;
      await wait(retryAfter * 1000, undefined, { signal });
    }
  }
}

/** Slack's event times are whole seconds. */
const toWholeSecond = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000);
const installedAtOf = ({ installedAt, createdAt }: ChannelInstallationRow) => installedAt ?? createdAt;

/**
 * Ends an installation that Slack has withdrawn: deletes its tokens and shows the reason on the integrations screen.
 * @param cause the refused token, so that an installation with a newer token stays; or the time of the event, so that a
 * late event does not end a newer installation
 */
export async function removeInstallation(
  key: string,
  why: string,
  cause: { token: string } | { happenedAt: Date },
): Promise<void> {
  cache.delete(key);
  const stored = await readInstallation(key);
  if (!stored) return;
  if ('token' in cause) {
    if (stored.tokens.botToken !== cause.token) return;
  } else if (cause.happenedAt < toWholeSecond(installedAtOf(stored.row))) {
    logger.info({ key }, 'ignored a late event of an earlier Slack installation');
    // The clocks may differ, so the token is tested; if Slack refuses it, the client ends the installation.
    await clientOf(stored)
      .auth.test()
      .catch((error: unknown) => logger.debug({ err: error }, 'auth.test'));
    return;
  }
  const unchanged = 'token' in cause ? { sealed: stored.row.sealed } : {};
  await grants.end(stored.row, why, { installedAt: stored.row.installedAt ?? null, ...unchanged });
}

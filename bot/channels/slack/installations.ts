import { WebClient } from '@slack/web-api';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
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
import { type Grant, makeGrants, type Tokens } from '../../engine/grants/makeGrants.ts';
import { placeOf } from './address.ts';
import { clientOptions, isNotRenewable, makeClient } from './client.ts';

/** What is kept of an installation, sealed. Times in seconds since 1970. */
export type SlackTokens = Tokens & {
  botToken: string;
  botUserId: string;
  botId: string;
  teamId: string | null;
  enterpriseId: string | null;
};
export type SlackInstallation = Grant<SlackTokens, ChannelInstallationRow>;

/** The key of an installation: the organisation's where it is the organisation's, else the workspace's. */
export const keyOf = (it: {
  teamId?: string | null | undefined;
  enterpriseId?: string | null | undefined;
  isEnterpriseInstall?: boolean | undefined;
}) => (it.isEnterpriseInstall ? it.enterpriseId : it.teamId) ?? '';

const RENEWAL_TIMEOUT_MS = 8000;
const KEPT_MILLISECONDS = 30_000;
const kept = makeCache<string, SlackInstallation>(KEPT_MILLISECONDS);
changes.on('changed', (accountId, topics) => {
  if (!topics.includes('integrations')) return;
  forgetWhere(kept, ({ row }) => row.accountId === accountId);
});

const grants = makeGrants<SlackTokens, ChannelInstallationRow>({
  entity: ChannelInstallation,
  contextOf: installationContext,
  renew: renewTokens,
  isRefusal: isNotRenewable,
  refusedText: 'Slack renews the access no more. Connect it again to go on.',
  onEnded: onInstallationEnded,
});

const clients = new WeakMap<SlackInstallation, WebClient>();

/** A client with an installation's token. Where Slack says that the token is not good any more, the installation ends. */
export function clientOf(installation: SlackInstallation): WebClient {
  const { row, tokens } = installation;
  const made =
    clients.get(installation) ??
    makeClient(tokens.botToken, tokens.teamId, () =>
      removeInstallation(row.key, 'Slack took back the access. Connect it again to go on.', { token: tokens.botToken }),
    );
  clients.set(installation, made);
  return made;
}

/** Keeps an installation, once per workspace, and switches Slack on for the account. */
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
  kept.delete(key);
  await runInAccount(accountId, () => noteConnection(accountId, 'slack', true));
}

/** The installation of a workspace or organisation, its token renewed where it ends soon; null where there is none. */
export async function findInstallation(key: string): Promise<SlackInstallation | null> {
  const known = kept.get(key);
  if (known) return known;
  const standing = await readInstallation(key);
  if (!standing) return null;
  // Switched off under Integrations, Arc neither hears nor speaks there.
  const { accountId } = standing.row;
  if (!(await runInAccount(accountId, () => isEnabled(accountId, 'slack')))) return null;
  const installation = await grants.freshen(standing);
  if (!installation) return null;
  kept.set(key, installation);
  return installation;
}

/**
 * The installation that a conversation belongs to.
 * @throws PermanentError where there is none any more, or it is switched off: what was to be said stays on the web
 */
export async function installationOf({ address }: ConversationRow): Promise<SlackInstallation> {
  const found = await findInstallation(placeOf(address).key);
  if (!found) throw new PermanentError('Slack is not connected for this conversation any more.');
  return found;
}

async function readInstallation(key: string): Promise<SlackInstallation | null> {
  const row = await ChannelInstallation.findOne({ channel: 'slack', key, revokedAt: null }).lean();
  return row && grants.open(row);
}

/** The installation of a workspace; where it has none of its own, its organisation's. */
export async function findInstallationFor(it: Parameters<typeof keyOf>[0]): Promise<SlackInstallation | null> {
  const own = await findInstallation(keyOf(it));
  return own ?? (it.enterpriseId && !it.isEnterpriseInstall ? findInstallation(it.enterpriseId) : null);
}

/** The account's installations. */
export const installationsOf = (accountId: number) => readInstallations(accountId, 'slack');

/** Asks Slack for new tokens; with all its tries it is over before another process would try. */
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

/** Slack gives the time of an event in whole seconds. */
const wholeSecond = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000);
const installedAtOf = ({ installedAt, createdAt }: ChannelInstallationRow) => installedAt ?? createdAt;

/**
 * Slack took the installation back: its tokens go, and the account's screen says so.
 * @param cause the token that was refused: an installation that holds a newer one stays; or when it happened: an event
 * that comes late ends nothing that was installed since
 */
export async function removeInstallation(
  key: string,
  why: string,
  cause: { token: string } | { happenedAt: Date },
): Promise<void> {
  kept.delete(key);
  const standing = await readInstallation(key);
  if (!standing) return;
  if ('token' in cause) {
    if (standing.tokens.botToken !== cause.token) return;
  } else if (cause.happenedAt < wholeSecond(installedAtOf(standing.row))) {
    logger.info({ key }, 'a late event of an earlier Slack installation ends nothing');
    // Where the clocks differ its token knows: refused, it ends the installation.
    await clientOf(standing)
      .auth.test()
      .catch((error: unknown) => logger.debug({ err: error }, 'auth.test'));
    return;
  }
  const unchanged = 'token' in cause ? { sealed: standing.row.sealed } : {};
  await grants.end(standing.row, why, { installedAt: standing.row.installedAt ?? null, ...unchanged });
}

import { createHash, randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { AccessToken, type AccessTokenRow } from '../../../models/accessToken.ts';
import { runInBackground } from '../../../models/background.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { TokenScope } from '../../../models/contracts/tokenScopes.ts';
import { Delivery } from '../../../models/delivery.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import { changing } from '../../../models/store/revisions.ts';
import { displayName, User } from '../../../models/user.ts';
import { identify } from '../accounts/identify.ts';
import { recordEvent } from '../audit/recordEvent.ts';

/** Secrets begin with it, so that scanners of source code and logs recognise one. */
const PREFIX = 'arc_';
const SECRET = /^arc_[\w-]{43}$/;
const DAY_MS = 86_400_000;
/** Whether a bearer's secret is an access token's, whether it works or not. */
export const looksLikeToken = (secret: string): boolean => secret.startsWith(PREFIX);
/** The time of last use is written at most this often. */
const USED_EVERY_MS = 60_000;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
/** The context of the key that signs a token's webhooks. */
export const webhookContext = ({ accountId, _id }: Pick<AccessTokenRow, 'accountId' | '_id'>) =>
  `webhook:${accountId}:${_id}`;

/** A token with the member who made it, in whose name it acts. */
export type TokenHolder = { token: AccessTokenRow; who: Who };

const isOver = ({ revokedAt, expiresAt }: Pick<AccessTokenRow, 'revokedAt' | 'expiresAt'>, now: number) =>
  revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= now);

/**
 * Makes a token.
 * @returns the row, and its two secrets, which are readable only here
 * @throws AppError not_allowed, not_available where the company has the most that it may have
 */
export async function makeToken(
  who: Who,
  { name, scopes, expiresInDays }: { name: string; scopes: readonly TokenScope[]; expiresInDays: number | null },
): Promise<{ token: AccessTokenRow; secret: string; webhookSecret: string }> {
  const { accountId } = who;
  if (!may(who, 'tokens.change')) throw new AppError('not_allowed');
  await requireRoom(accountId);
  const secret = `${PREFIX}${randomBytes(32).toString('base64url')}`;
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const _id = new Types.ObjectId();
  const now = Date.now();
  const token: AccessTokenRow = {
    _id,
    accountId,
    name,
    scopes: [...new Set(scopes)],
    secretHash: hashOf(secret),
    ending: secret.slice(-4),
    webhookKey: seal(webhookSecret, webhookContext({ accountId, _id })),
    madeBy: who.userId,
    createdAt: new Date(now),
    lastUsedAt: null,
    expiresAt: expiresInDays === null ? null : new Date(now + expiresInDays * DAY_MS),
    revokedAt: null,
  };
  await recordEvent(accountId, 'token.made', {
    userId: who.userId,
    subject: `token:${_id}`,
    outcome: token.scopes.join(' '),
  });
  await changing(accountId, ['account'], () => AccessToken.create(token));
  return { token, secret, webhookSecret };
}

async function requireRoom(accountId: number): Promise<void> {
  const { count } = LIMITS.accessTokens;
  const standing = await findCurrent(accountId);
  if (standing.length >= count)
    throw new AppError('not_available', { text: `A company can have ${count} access tokens. Revoke one first.` });
}

async function findCurrent(accountId: number): Promise<AccessTokenRow[]> {
  const now = Date.now();
  const rows = await AccessToken.find({ accountId, revokedAt: null }).sort({ createdAt: -1 }).lean();
  return rows.filter((row) => !isOver(row, now));
}

/** A token as owners see it. */
export type ListedToken = AccessTokenRow & {
  makerName: string;
  /** The webhooks that were given up; null where there are none. */
  failedWebhooks: { count: number; lastError: string; questionId: number } | null;
};

/** The tokens that work, newest first. */
export async function readTokens(accountId: number): Promise<ListedToken[]> {
  const now = Date.now();
  const rows = await findCurrent(accountId);
  const makers = [...new Set(rows.map(({ madeBy }) => madeBy))];
  const [users, current] = await Promise.all([
    User.find({ _id: { $in: makers } }).lean(),
    Promise.all(makers.map((userId) => identify(userId, accountId, now))),
  ]);
  const names = new Map(users.map((user) => [user._id, displayName(user)]));
  const acting = new Set(current.flatMap((who) => (who && may(who, 'tokens.change') ? [who.userId] : [])));
  const listed = rows.filter(({ madeBy }) => acting.has(madeBy));
  return Promise.all(
    listed.map(async (row) => ({
      ...row,
      makerName: names.get(row.madeBy) ?? '',
      failedWebhooks: await readFailedWebhooks(row),
    })),
  );
}

async function readFailedWebhooks({ accountId, _id }: AccessTokenRow): Promise<ListedToken['failedWebhooks']> {
  const failed = { accountId, 'webhook.tokenId': _id, status: 'failed' } as const;
  const [count, last] = await Promise.all([
    Delivery.countDocuments(failed),
    Delivery.findOne(failed).sort({ _id: -1 }).lean(),
  ]);
  return last && { count, lastError: last.error ?? '', questionId: last.webhook?.interruptId ?? 0 };
}

/**
 * Revokes a token.
 * @throws AppError not_allowed, not_found where it is not of the account or no longer works
 */
export async function revokeToken(who: Who, id: string): Promise<void> {
  const { accountId } = who;
  if (!may(who, 'tokens.change')) throw new AppError('not_allowed');
  const filter = { _id: id, accountId, revokedAt: null };
  if (!(await AccessToken.exists(filter))) throw new AppError('not_found');
  await recordEvent(accountId, 'token.revoked', { userId: who.userId, subject: `token:${id}`, outcome: 'revoked' });
  const revoked = await changing(accountId, ['account'], () =>
    AccessToken.updateOne(filter, { $set: { revokedAt: new Date() } }),
  );
  if (revoked.modifiedCount !== 1) throw new AppError('not_found');
}

/**
 * The holder of a token, who is a program and no administrator, whoever made it; null where the secret is unknown, or
 * the token or its maker's right has ended.
 */
export async function authenticate(secret: string): Promise<TokenHolder | null> {
  if (!SECRET.test(secret)) return null;
  const now = Date.now();
  const token = await AccessToken.findOne({ secretHash: hashOf(secret) }).lean();
  if (!token || isOver(token, now)) return null;
  const who = await identify(token.madeBy, token.accountId, now);
  if (!who || !may(who, 'tokens.change')) return null;
  if (now - (token.lastUsedAt?.getTime() ?? 0) >= USED_EVERY_MS)
    runInBackground(
      'the last use of a token',
      AccessToken.updateOne({ _id: token._id, accountId: token.accountId }, { $set: { lastUsedAt: new Date(now) } }),
    );
  return { token, who: { ...who, isAdmin: false, isProgram: true } };
}

/** The key that signs a token's webhooks; null where the token no longer works. */
export async function readWebhookSecret(accountId: number, _id: Types.ObjectId): Promise<string | null> {
  const token = await AccessToken.findOne({ _id, accountId }).lean();
  const who = token && !isOver(token, Date.now()) ? await identify(token.madeBy, accountId, Date.now()) : null;
  return token && who && may(who, 'tokens.change') ? unseal<string>(token.webhookKey, webhookContext(token)) : null;
}

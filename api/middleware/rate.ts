import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { findInvitation } from '../../bot/engine/accounts/invitations.ts';
import { makeSharedCounts, type SharedCounts } from '../../bot/engine/rates/sharedCounts.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { RATES, type RateKey, type RateName } from '../../models/contracts/limits.ts';
import { acceptInvitation } from '../../models/contracts/members.ts';
import { env } from '../../models/env.ts';
import type { Who } from '../../models/policies/who.ts';
import { tokenOf } from './acting.ts';
import { deviceOf } from './device.ts';

const addressOf = (request: Request) => ipKeyGenerator(request.ip ?? '');
const byPerson = (userId: number) => `user:${userId}`;
const byAccount = (accountId: number) => `account:${accountId}`;

const byToken = (request: Request) => {
  const holder = tokenOf(request);
  return holder && `token:${holder.token._id}`;
};

/** By access token, else by user where somebody is signed in, else by IP address. */
const byCaller = (request: Request) =>
  byToken(request) ?? (request.session?.userId ? byPerson(request.session.userId) : addressOf(request));

/** The e-mail in the body, normalised; empty where there is none. */
function emailOf(request: Request): string {
  const email: unknown = request.body?.email;
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : '';
}

/** Accepting an invitation also signs in; only its token says whom. */
const isAcceptance = ({ path }: Pick<Request, 'path'>) =>
  path.toLowerCase().replace(/\/+$/, '') === acceptInvitation.path;

/** The e-mail that a call concerns: named in the body, or the invitation's. An unknown token counts as itself. */
async function targetOf(request: Request): Promise<string> {
  if (!isAcceptance(request)) return emailOf(request);
  const given: unknown = request.body?.token;
  const token = typeof given === 'string' ? given : '';
  const invitation = await findInvitation(token).catch(() => null);
  return invitation?.email ?? `token:${token.slice(0, 64)}`;
}
/** A device cookie belongs to the e-mail of a login. Accepting an invitation has none, whatever the body contains. */
const knownDevice = (request: Request) => (isAcceptance(request) ? null : deviceOf(request, emailOf(request)));

/**
 * A browser that the e-mail has signed in from has its own counter, so that other people's attempts can't lock it out.
 */
const KEYS: Record<Exclude<RateKey, 'token'>, (request: Request) => string | Promise<string>> = {
  caller: byCaller,
  account: (request) =>
    byToken(request) ?? (request.session?.accountId ? byAccount(request.session.accountId) : byCaller(request)),
  address: addressOf,
  target: targetOf,
  'sign-in': async (request) => knownDevice(request) ?? `${addressOf(request)} ${await targetOf(request)}`,
};
/** Tokens are counted by hand: only the token's check knows them. */
const keyOf = (by: RateKey) => (by === 'token' ? byCaller : KEYS[by]);

/** Rates of sign-in calls: only failures count. */
const SIGN_IN: readonly RateName[] = ['signIn', 'signInEmail', 'signInAddress'];

const limitOf = (name: RateName) => Math.max(1, Math.round(RATES[name].limit * env.RATE_LIMIT_FACTOR));
const tooMany = (name: RateName, resetTime: Date | undefined) => {
  const left = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : RATES[name].seconds;
  return new AppError('too_many', { seconds: Math.max(1, left) });
};

type Limiter = { handler: RequestHandler; store: SharedCounts };
const limiters = new Map<RateName, Limiter>();

/** One limiter per rate, shared by all calls with that rate. */
function limiterOf(name: RateName): Limiter {
  const standing = limiters.get(name);
  if (standing) return standing;
  const windowMs = RATES[name].seconds * 1000;
  const store = makeSharedCounts(name, limitOf(name), windowMs);
  const handler = rateLimit({
    windowMs,
    limit: limitOf(name),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store,
    keyGenerator: keyOf(RATES[name].by),
    skipSuccessfulRequests: SIGN_IN.includes(name),
    skip: (request) => (name === 'signInEmail' || name === 'signInAddress') && knownDevice(request) !== null,
    handler: (request, _response, next) => next(tooMany(name, (request as WithRate).rateLimit?.resetTime)),
  });
  const made = { handler, store };
  limiters.set(name, made);
  return made;
}
type WithRate = Request & { rateLimit?: { resetTime?: Date } };

/** The middleware for a rate. */
export const limitRate = (name: RateName): RequestHandler => limiterOf(name).handler;

/** @throws AppError too_many */
async function countBy(name: RateName, key: string): Promise<void> {
  const { totalHits, resetTime } = await limiterOf(name).store.increment(key);
  if (totalHits > limitOf(name)) throw tooMany(name, resetTime);
}

/**
 * Counts a chat message from a socket against the rates of the HTTP call.
 * @throws AppError too_many
 */
export async function countChat({ userId, accountId }: Pick<Who, 'userId' | 'accountId'>): Promise<void> {
  await countBy('chat', byPerson(userId));
  await countBy('chatAccount', byAccount(accountId));
}

/**
 * Counts an attempt with the own password where only some bodies of a call have one.
 * @returns takes it back, where the password was right or nobody looked at it
 * @throws AppError too_many
 */
export async function countPassword({ userId }: Pick<Who, 'userId'>): Promise<() => Promise<void>> {
  const key = byPerson(userId);
  await countBy('password', key);
  return () => limiterOf('password').store.decrement(key);
}

/** Counts a call with an access token. @throws AppError too_many */
export const countToken = (tokenId: string): Promise<void> => countBy('token', tokenId);

/** Counts a refused token against the caller's address. @throws AppError too_many */
export const countFailedToken = (request: Request): Promise<void> => countBy('badToken', addressOf(request));

/** @throws AppError too_many where too many tokens were refused from the caller's address */
export async function requireFewFailedTokens(request: Request): Promise<void> {
  const hits = await limiterOf('badToken').store.get(addressOf(request));
  if (hits && hits.totalHits >= limitOf('badToken')) throw tooMany('badToken', hits.resetTime);
}

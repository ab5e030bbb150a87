import Bowser from 'bowser';
import MongoStore from 'connect-mongo';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import { identify } from '../../bot/engine/accounts/identify.ts';
import { readShortToken } from '../../bot/engine/accounts/shortTokens.ts';
import { recordEvent } from '../../bot/engine/audit/recordEvent.ts';
import { PERSON_HEADER, personKey } from '../../models/contracts/auth.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { baseUrl } from '../../models/env.ts';
import type { Who } from '../../models/policies/who.ts';
import { loadSecrets } from '../../models/secrets.ts';
import { connectedClient, connectedDatabase } from '../../models/store/client.ts';
import { announce } from '../../models/store/revisions.ts';
import { tokenOf } from './acting.ts';
import { rememberSessions } from './rememberSessions.ts';

declare module 'express-session' {
  interface SessionData {
    userId?: number;
    accountId?: number;
    /** When it started, in milliseconds since 1970. */
    since?: number;
    /** When a login at a provider began in it; nobody is signed in then. */
    loginBegunAt?: number;
    /** The browser and system that began it. */
    device?: string;
  }
}

const DAYS = 14;

/** The session middleware. Sessions are in the store and their expiry is written at most every ten minutes. */
export function makeSession(): RequestHandler {
  return session({
    name: 'arc.sid',
    secret: loadSecrets().sessionSecret,
    resave: false,
    saveUninitialized: false,
    rolling: false,
    cookie: {
      httpOnly: true,
      sameSite: 'lax',
      secure: baseUrl().startsWith('https://'),
      maxAge: DAYS * 86_400_000,
    },
    store: rememberSessions(
      MongoStore.create({
        client: connectedClient() as never,
        dbName: connectedDatabase().databaseName,
        collectionName: 'sessions',
        touchAfter: 600,
        stringify: false,
      }),
    ),
  });
}

/** The current member behind a request; null where nobody is signed in. */
export async function whoIs(request: unknown): Promise<Who | null> {
  const holder = tokenOf(request as Request);
  if (holder) return holder.who;
  const { session: it, headers } = request as Request;
  const [, bearer] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  // A page in a platform's frame sends a bearer token instead of a cookie; a cookie beside it is ignored.
  if (bearer) {
    const short = await readShortToken(bearer);
    return short && identify(short.userId, short.accountId, short.since);
  }
  if (!it?.userId || !it.accountId) return null;
  return identify(it.userId, it.accountId, it.since ?? 0);
}

/**
 * {@link whoIs} with the session read again from the store: a socket's request holds the session as it was at
 * connection.
 */
export async function whoIsStill(request: unknown): Promise<Who | null> {
  const { sessionStore, sessionID, headers } = request as Request;
  if (headers.authorization) return whoIs(request);
  const it = await new Promise<SessionData | null | undefined>((resolve, reject) =>
    sessionStore.get(sessionID, (fault, data) => (fault ? reject(fault) : resolve(data))),
  );
  if (!it?.userId || !it.accountId) return null;
  return identify(it.userId, it.accountId, it.since ?? 0);
}

/**
 * Refuses a request of a page that shows another person than the session's: the page's content and writes are not
 * theirs.
 * @throws AppError other_person
 */
export function requireShown(request: Pick<Request, 'get'>, who: Who): void {
  const shown = request.get(PERSON_HEADER);
  if (shown !== undefined && shown !== personKey(who)) throw new AppError('other_person');
}

/**
 * Refuses what changes the session to a page in a platform's frame: it has none, its token is bound to one company.
 * @throws AppError not_allowed
 */
export function requireOwnSession({ headers }: Pick<Request, 'headers'>): void {
  if (headers.authorization) throw new AppError('not_allowed');
}

/** The browser and system of a request, "Firefox on Windows"; null where it does not say. */
function deviceNameOf({ headers }: Pick<Request, 'headers'>): string | null {
  const { browser, os } = Bowser.parse((headers['user-agent'] ?? '').slice(0, MAX_AGENT) || 'none');
  return [browser.name, os.name].filter(Boolean).join(' on ') || null;
}

const MAX_AGENT = 400;

/**
 * Announces a change of sessions once the answer is sent: a page that read who is signed in before would still send the
 * cookie that has ended.
 */
export function announceAfter({ res }: Pick<Request, 'res'>, accountIds: readonly number[]): void {
  const tell = () => {
    for (const accountId of accountIds) announce(accountId, ['account']);
  };
  if (res && !res.closed) res.once('close', tell);
  else tell();
}

/** Starts a session under a new id; the previous one ends, in every process. */
export async function beginSession(request: Request, userId: number, accountId: number): Promise<void> {
  const before = request.session.accountId;
  await recordEvent(accountId, 'session.begun', { userId, subject: `user:${userId}`, outcome: 'begun' });
  await new Promise<void>((resolve, reject) => {
    request.session.regenerate((fault) => {
      if (fault) return reject(fault);
      const device = deviceNameOf(request);
      Object.assign(request.session, { userId, accountId, since: Date.now(), ...(device ? { device } : {}) });
      request.session.save((error) => (error ? reject(error) : resolve()));
    });
  });
  if (before) announceAfter(request, [before]);
}

/** Ends a request's session without a trace in the audit: its company is gone. */
export const dropSession = (request: Request): Promise<void> =>
  new Promise((resolve, reject) => request.session.destroy((error) => (error ? reject(error) : resolve())));

/** Ends a request's session, in every process. */
export async function endSession(request: Request): Promise<void> {
  const { accountId, userId } = request.session;
  if (accountId && userId)
    await recordEvent(accountId, 'session.ended', { userId, subject: `user:${userId}`, outcome: 'ended' });
  await dropSession(request);
  if (accountId) announce(accountId, ['account']);
}

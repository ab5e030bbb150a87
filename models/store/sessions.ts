import { createHash } from 'node:crypto';
import { connectedDatabase } from './client.ts';

/** The session store's collection, which is not an entity, and its fields for account and user. */
export const SESSIONS = { collection: 'sessions', account: 'session.accountId', user: 'session.userId' };

type StoredSession = {
  _id: string;
  expires?: Date;
  lastModified?: Date;
  session: { userId: number; accountId: number; since?: number; device?: string };
};

/** A session as its person sees it. */
type SessionOfPerson = {
  /** A digest of its id: whoever reads the list can't take a session over with it. */
  id: string;
  accountId: number;
  device: string | null;
  since: Date;
  /** Written at most every ten minutes. */
  lastUsed: Date;
};

const sessions = () => connectedDatabase().collection<StoredSession>(SESSIONS.collection);

/** The id by which a person's own list names a session. */
export const publicIdOf = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('hex').slice(0, 24);

/** Finds a person's sessions fast, however many people are signed in. */
export const indexSessions = () => sessions().createIndex({ [SESSIONS.user]: 1 });

const find = (userId: number) =>
  sessions()
    .find({ [SESSIONS.user]: userId })
    .toArray();

/** The sessions of a person that have not expired, in whichever company, the latest used first. */
export async function findSessions(userId: number, now = new Date()): Promise<SessionOfPerson[]> {
  return (await find(userId))
    .filter(({ expires }) => !expires || expires > now)
    .map(({ _id, lastModified, session: { accountId, since = 0, device = null } }) => ({
      id: publicIdOf(_id),
      accountId,
      device,
      since: new Date(since),
      lastUsed: lastModified ?? new Date(since),
    }))
    .sort((one, other) => other.lastUsed.getTime() - one.lastUsed.getTime());
}

/**
 * Deletes sessions of a person.
 * @param id of one of them; all if none is given
 * @returns the accounts whose caches hold them
 */
export async function deleteSessions(userId: number, id?: string): Promise<number[]> {
  const own = (await find(userId)).filter(({ _id }) => id === undefined || publicIdOf(_id) === id);
  await sessions().deleteMany({ _id: { $in: own.map(({ _id }) => _id) } });
  return [...new Set(own.map(({ session }) => session.accountId))];
}

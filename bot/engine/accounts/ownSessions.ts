import { Account } from '../../../models/account.ts';
import type { OwnSession } from '../../../models/contracts/auth.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { announce } from '../../../models/store/revisions.ts';
import { deleteSessions, findSessions, publicIdOf } from '../../../models/store/sessions.ts';
import { User } from '../../../models/user.ts';
import { recordForPerson } from '../audit/recordEvent.ts';
import { fitsPassword, hashPassword } from './passwords.ts';

/** Where a person is signed in. @param sessionId the session that asks; null for a page in a platform's frame */
export async function readOwnSessions({ userId }: Who, sessionId: string | null): Promise<OwnSession[]> {
  const rows = await findSessions(userId);
  const accounts = await Account.find({ _id: { $in: rows.map(({ accountId }) => accountId) } }, { name: 1 }).lean();
  const names = new Map(accounts.map(({ _id, name }) => [_id, name]));
  return rows.map(({ id, accountId, device, since, lastUsed }) => ({
    id,
    device,
    companyName: names.get(accountId) ?? '',
    since: since.toISOString(),
    lastUsed: lastUsed.toISOString(),
    current: sessionId !== null && id === publicIdOf(sessionId),
  }));
}

/** Who ends a session, and what the audit says of it. */
type Ending = { by: number; outcome: string };

/** Signs out one session of a person, in every process. @throws AppError not_found for anybody else's */
export async function endSessionOf(userId: number, id: string, { by, outcome }: Ending): Promise<void> {
  if (!(await findSessions(userId)).some((one) => one.id === id)) throw new AppError('not_found');
  await recordForPerson(userId, 'session.ended', { userId: by, outcome });
  for (const accountId of await deleteSessions(userId, id)) announce(accountId, ['account']);
}

/** Signs out one of a person's own sessions. @throws AppError not_found for anybody else's */
export const endOwnSession = ({ userId }: Who, id: string): Promise<void> =>
  endSessionOf(userId, id, { by: userId, outcome: 'ended from another session' });

/**
 * Signs a person out everywhere, in frames of platforms too. Where it is their own wish, the caller begins a new session,
 * then announces the change, so that no page of the person reads who is signed in between the two.
 * @returns the accounts to announce
 */
export async function endSessionsOf(userId: number, { by, outcome }: Ending): Promise<number[]> {
  await recordForPerson(userId, 'session.ended', { userId: by, outcome });
  return endEverySession(userId, {});
}

/** Signs a person out everywhere at their own wish. @returns the accounts to announce */
export const endAllSessions = ({ userId }: Who): Promise<number[]> =>
  endSessionsOf(userId, { by: userId, outcome: 'ended everywhere' });

/**
 * Changes a person's password and signs them out everywhere, as {@link endAllSessions} does.
 * @returns the accounts to announce
 * @throws AppError bad_request where the current password is wrong or the new one is too weak
 */
export async function changeOwnPassword({ userId }: Who, password: string, wanted: string): Promise<number[]> {
  const user = await User.findById(userId, { passwordHash: 1 }).lean();
  if (!(await fitsPassword(user?.passwordHash ?? null, password))) throw refuse('password', WRONG);
  if (password === wanted) throw refuse('newPassword', 'Choose another password than the current one.');
  const passwordHash = await hashPassword(wanted).catch((error: unknown) => {
    const text = error instanceof AppError ? error.fields?.password : undefined;
    throw text ? refuse('newPassword', text) : error;
  });
  await recordForPerson(userId, 'password.changed', { userId, outcome: 'by the current one' });
  return endEverySession(userId, { passwordHash });
}

const WRONG = 'This is not your current password.';
const refuse = (field: 'password' | 'newPassword', text: string) =>
  new AppError('bad_request', {}, { fields: { [field]: text } });

/** The date refuses what the deletion misses: a session that begins meanwhile, and tokens of framed pages. */
async function endEverySession(userId: number, change: { passwordHash?: string }): Promise<number[]> {
  await User.updateOne({ _id: userId }, { $set: { ...change, sessionsValidFrom: new Date() } });
  const memberships = await Member.find({ userId }, { accountId: 1 }).lean();
  return [...new Set([...memberships.map(({ accountId }) => accountId), ...(await deleteSessions(userId))])];
}

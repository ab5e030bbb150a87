import { env } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { forgetWhere, makeCache } from '../../../models/store/cache.ts';
import { changes, noteHeld } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';

type Known = { who: Who; sessionsValidFrom: number };

/** Upper bound; entries are dropped at once when the account changes, in any process. */
const MAX_AGE_MS = 60_000;
const known = makeCache<string, Known>(MAX_AGE_MS);

changes.on('changed', (accountId, topics) => {
  if (!topics.includes('account')) return;
  forgetWhere(known, ({ who }) => who.accountId === accountId);
});

/**
 * The member behind a session; null where the user, the membership or the session has ended.
 * @param since when the session started, in milliseconds since 1970
 */
export async function identify(userId: number, accountId: number, since: number): Promise<Who | null> {
  const key = `${accountId}:${userId}`;
  let one = known.get(key);
  if (!one) {
    const [user, member, hasOfficer] = await Promise.all([
      User.findById(userId).lean(),
      Member.findOne({ accountId, userId }).lean(),
      hasAnOfficer(accountId),
    ]);
    if (!user || !member) return null;
    one = {
      who: {
        userId,
        accountId,
        name: displayName(user),
        email: user.email,
        emailVerified: user.emailVerified,
        roles: member.roles,
        hasOfficer,
        isAdmin: user.isAdmin || isNamedAdmin(user),
      },
      sessionsValidFrom: user.sessionsValidFrom.getTime(),
    };
    noteHeld(accountId);
    known.set(key, one);
  }
  return since < one.sessionsValidFrom ? null : one.who;
}

/** Whether an account has a Clinical Safety Officer. */
export const hasAnOfficer = async (accountId: number): Promise<boolean> =>
  (await Member.exists({ accountId, roles: 'clinical-safety-officer' })) !== null;

/** Whether ADMIN_EMAILS makes the user an administrator. Requires a mailed code: an invitation proves less. */
const isNamedAdmin = ({ email, emailVerified, verifiedBy }: UserRow) =>
  emailVerified && verifiedBy === 'code' && env.ADMIN_EMAILS.includes(email);

import { env } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changes } from '../../../models/store/revisions.ts';
import { displayName, User } from '../../../models/user.ts';

type Known = { who: Who; sessionsValidFrom: number; until: number };

/** Kept for a minute at most, and forgotten at once when the account changes, here or in another process. */
const known = new Map<string, Known>();
const KEPT_MILLISECONDS = 60_000;

changes.on('changed', (accountId, topics) => {
  if (!topics.includes('account')) return;
  for (const [key, one] of known) if (one.who.accountId === accountId) known.delete(key);
});

/**
 * Who a session is: the member as they are now, or null where the user, the membership or the session has ended.
 * @param since when the session began, in milliseconds
 */
export async function identify(userId: number, accountId: number, since: number): Promise<Who | null> {
  const key = `${accountId}:${userId}`;
  let one = known.get(key);
  if (!one || one.until < Date.now()) {
    const [user, member] = await Promise.all([
      User.findById(userId).lean(),
      Member.findOne({ accountId, userId }).lean(),
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
        isAdmin: user.isAdmin || (user.emailVerified && env.ADMIN_EMAILS.includes(user.email)),
      },
      sessionsValidFrom: user.sessionsValidFrom.getTime(),
      until: Date.now() + KEPT_MILLISECONDS,
    };
    if (known.size > 10_000) known.clear();
    known.set(key, one);
  }
  return since < one.sessionsValidFrom ? null : one.who;
}

import { readTimeZone } from '../../bot/engine/accounts/timeZone.ts';
import type { SessionUser } from '../../models/contracts/auth.ts';
import type { Who } from '../../models/policies/who.ts';
import { User } from '../../models/user.ts';

/** The signed-in person as pages see them; fields named by hand, so that nothing else can leave. */
export async function presentUser(who: Who): Promise<SessionUser> {
  const [user, timeZone] = await Promise.all([
    User.findById(who.userId, { firstName: 1, lastName: 1 }).lean(),
    readTimeZone(who.accountId),
  ]);
  return {
    id: who.userId,
    accountId: who.accountId,
    firstName: user?.firstName ?? null,
    lastName: user?.lastName ?? null,
    email: who.email,
    isAdmin: who.isAdmin,
    emailVerified: who.emailVerified,
    roles: [...who.roles],
    timeZone,
  };
}

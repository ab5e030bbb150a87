import type { Profile } from '../../bot/engine/accounts/readProfile.ts';
import type { SessionUser } from '../../models/contracts/auth.ts';
import type { Who } from '../../models/policies/who.ts';

/** The signed-in person as pages see them; fields named by hand, so that nothing else can leave. */
export const presentUser = (who: Who, { firstName, lastName, timeZone }: Profile): SessionUser => ({
  id: who.userId,
  accountId: who.accountId,
  firstName,
  lastName,
  email: who.email,
  isAdmin: who.isAdmin,
  emailVerified: who.emailVerified,
  roles: [...who.roles],
  timeZone,
});

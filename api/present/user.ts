import type { Profile } from '../../bot/engine/accounts/readProfile.ts';
import type { SessionUser } from '../../models/contracts/auth.ts';
import type { Who } from '../../models/policies/who.ts';

/** The signed-in person as pages get them. Fields are listed one by one, so that nothing else is sent. */
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

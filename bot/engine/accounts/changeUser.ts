import { Member } from '../../../models/member.ts';
import { announce } from '../../../models/store/revisions.ts';
import { User, type UserRow } from '../../../models/user.ts';

/**
 * Changes a user, found by e-mail in whatever case, and tells every account they belong to: what is remembered of them
 * is forgotten at once.
 * @returns whether there is such a user
 */
export async function changeUser(email: string, change: Partial<UserRow>): Promise<boolean> {
  const user = await User.findOneAndUpdate({ email: email.trim().toLowerCase() }, { $set: change }).lean();
  if (!user) return false;
  for (const { accountId } of await Member.find({ userId: user._id }, { accountId: 1 }).lean()) {
    announce(accountId, ['account']);
  }
  return true;
}

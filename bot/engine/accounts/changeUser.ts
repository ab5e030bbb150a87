import { Member } from '../../../models/member.ts';
import { announce } from '../../../models/store/revisions.ts';
import { User, type UserRow } from '../../../models/user.ts';

/**
 * Changes a user, found by e-mail in any case, and announces it in each of their accounts, so that caches drop the old
 * values.
 * @returns whether the user exists
 */
export async function changeUser(email: string, change: Partial<UserRow>): Promise<boolean> {
  const user = await User.findOneAndUpdate({ email: email.trim().toLowerCase() }, { $set: change }).lean();
  if (!user) return false;
  for (const { accountId } of await Member.find({ userId: user._id }, { accountId: 1 }).lean()) {
    announce(accountId, ['account']);
  }
  return true;
}

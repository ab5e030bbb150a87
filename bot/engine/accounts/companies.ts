import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Member, type Role } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { User } from '../../../models/user.ts';

type Company = { accountId: number; name: string; roles: Role[]; current: boolean };

/** The companies that a user belongs to, longest membership first. */
export async function readCompanies(who: Who): Promise<Company[]> {
  const memberships = await Member.find({ userId: who.userId }).sort({ createdAt: 1 }).lean();
  const accounts = await Account.find(
    { _id: { $in: memberships.map(({ accountId }) => accountId) } },
    { name: 1 },
  ).lean();
  const names = new Map(accounts.map(({ _id, name }) => [_id, name]));
  return memberships.map(({ accountId, roles }) => ({
    accountId,
    name: names.get(accountId) ?? '',
    roles: [...roles],
    current: accountId === who.accountId,
  }));
}

/**
 * Saves the company that a user switched to: the next login opens it.
 * @throws AppError not_found
 */
export async function noteCompany(userId: number, accountId: number): Promise<void> {
  if (!(await Member.exists({ userId, accountId }))) throw new AppError('not_found');
  await User.updateOne({ _id: userId }, { $set: { lastAccountId: accountId } });
}

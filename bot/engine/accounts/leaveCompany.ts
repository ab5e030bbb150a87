import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { User } from '../../../models/user.ts';
import { noteCompany } from './companies.ts';
import { ensureAccount } from './createAccount.ts';
import { endMembership } from './members.ts';

/**
 * Takes a person out of the company; what they did stays there under their name.
 * @returns the company's name, and the account that the person goes on in: another company of theirs, else a new one
 * @param confirmed whether the person has read the warning of few signers
 * @throws AppError bad_request for its last owner, few_signers
 */
export async function leaveCompany(
  { userId, accountId }: Who,
  confirmed = false,
): Promise<{ left: string; next: number }> {
  const [standing, account, user] = await Promise.all([
    Member.findOne({ accountId, userId }).lean(),
    Account.findById(accountId, { name: 1 }).lean(),
    User.findById(userId).lean(),
  ]);
  if (!standing || !user) throw new AppError('not_found');
  await endMembership(standing, 'member.left', userId, confirmed);
  const next = await ensureAccount(user);
  await noteCompany(userId, next);
  return { left: account?.name ?? '', next };
}

import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Member, type MemberRow } from '../../../models/member.ts';
import { rolesThatMay } from '../../../models/policies/actions.ts';

/** A member as far as signing goes. */
export type Signer = Pick<MemberRow, 'userId' | 'roles'>;

/** Those of a company's members who may sign what needs the officer. */
function signersAmong(members: readonly Signer[]): Signer[] {
  const hasOfficer = members.some(({ roles }) => roles.includes('clinical-safety-officer'));
  const roles = rolesThatMay('question.answer-clinical', hasOfficer);
  return members.filter((member) => roles.some((role) => member.roles.includes(role)));
}

const readSigners = (accountId: number): Promise<Signer[]> =>
  Member.find({ accountId }, { userId: 1, roles: 1 }).lean();

/**
 * The number of people who may sign what needs the officer.
 * @param after the members as a change would leave them; as they are by default
 */
export const countSigners = async (
  accountId: number,
  after: (members: Signer[]) => Signer[] = (members) => members,
): Promise<number> => signersAmong(after(await readSigners(accountId))).length;

/**
 * Warns before a change after which fewer than two people can sign, in a company where two have to.
 * @param after the members as the change leaves them
 * @param confirmed whether the person has read the warning and goes on
 * @throws AppError few_signers
 */
export async function warnOfFewSigners(
  accountId: number,
  after: (members: Signer[]) => Signer[],
  confirmed: boolean,
): Promise<void> {
  if (confirmed) return;
  const account = await Account.findById(accountId, { signsAnswers: 1, signsTwice: 1 }).lean();
  if (!account?.signsAnswers || !account.signsTwice) return;
  const members = await readSigners(accountId);
  const left = signersAmong(after(members)).length;
  if (left >= 2 || left >= signersAmong(members).length) return;
  throw new AppError('few_signers', { left: left === 0 ? 'nobody' : 'only one person' });
}

/** The members after one of them has these roles; null: after they have gone. */
export const withRoles =
  (userId: number, roles: Signer['roles'] | null) =>
  (members: Signer[]): Signer[] =>
    members.flatMap((member) => (member.userId !== userId ? [member] : roles === null ? [] : [{ userId, roles }]));

import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
// Loads every entity: each declares the fields of its rows that hold people's names.
import '../../../models/entities.ts';
import { Invitation } from '../../../models/invitation.ts';
import { Member } from '../../../models/member.ts';
import { dangerouslyEraseAccount, dangerouslyForgetPerson } from '../../../models/store/accountRows.ts';
import { announce, everyTopic } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { Verification } from '../../../models/verification.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { withdrawLostSignatures } from './lostSignatures.ts';

/** Kept after erasure: the audit chain holds ids and digests, no names and no content. */
const KEPT = ['auditEvents', 'auditHeads', 'accounts'];
const NOBODY = 'Erased person';

type Erasure = { user: UserRow; whole: number[]; only: number[]; others: number };

/**
 * The plan for erasing a person: accounts that nobody else owns are erased whole, in others only the person's data.
 * `others` counts the remaining members of the erased accounts.
 * @throws AppError not_found where no user has the e-mail
 */
export async function planErasure(email: string): Promise<Erasure> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean();
  if (!user) throw new AppError('not_found');
  const own = await Member.find({ userId: user._id }).lean();
  const plan: Erasure = { user, whole: [], only: [], others: 0 };
  for (const { accountId, roles } of own) {
    const rest = await Member.find({ accountId, userId: { $ne: user._id } }).lean();
    const goes = roles.includes('owner') && !rest.some((one) => one.roles.includes('owner'));
    (goes ? plan.whole : plan.only).push(accountId);
    if (goes) plan.others += rest.length;
  }
  return plan;
}

const tell = (accountId: number, event: 'account.erased' | 'person.erased', userId: number) =>
  recordEvent(accountId, event, {
    userId,
    surface: 'api',
    subject: `user:${userId}`,
    outcome: 'erased',
    key: String(userId),
  });

/**
 * Begins the erasure of an account: from now on nobody is a member of it, so nobody reads or writes it. The account's row
 * says that it was begun, and `erasure/eraseCompany.ts` finishes what a crash or work in another process left.
 * @returns the number of deleted documents
 */
export async function beginErasure(accountId: number, userId: number): Promise<number> {
  const erasure = { by: userId, at: new Date(), isSwept: false };
  await Account.updateOne({ _id: accountId, erasure: null }, { $set: { erasure } });
  const { deletedCount } = await Member.deleteMany({ accountId });
  announce(accountId, ['account']);
  return deletedCount;
}

/**
 * Erases an account; may be repeated. Its audit chain is kept and gets one row that records the erasure, so that it still
 * verifies.
 * @param userId whose wish it is
 * @returns the number of deleted documents
 */
export async function eraseWholeAccount(accountId: number, userId: number): Promise<number> {
  const members = await beginErasure(accountId, userId);
  await tell(accountId, 'account.erased', userId);
  const gone = await dangerouslyEraseAccount(accountId, KEPT);
  await User.updateMany({ lastAccountId: accountId }, { $set: { lastAccountId: null } });
  await Account.updateOne(
    { _id: accountId },
    {
      $set: { name: 'Erased account', clinicalSafetyOfficer: null, quietHours: null, holidays: null, budgets: null },
    },
  );
  announce(accountId, everyTopic);
  return members + gone;
}

/** Erases a person who belongs to no account any more. @returns the number of deleted documents */
export async function erasePerson({ _id, email }: Pick<UserRow, '_id' | 'email'>): Promise<number> {
  const done = [
    await Invitation.deleteMany({ email }),
    await Verification.deleteMany({ email }),
    await User.deleteOne({ _id }),
  ];
  return done.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
}

/**
 * Erases a person and the accounts that only they own. Each audit chain is kept and gets one row that records the
 * erasure, so that it still verifies.
 * @returns the number of deleted documents
 */
export async function erase({ user, whole, only }: Erasure): Promise<number> {
  let gone = 0;
  for (const accountId of whole) gone += await eraseWholeAccount(accountId, user._id);
  for (const accountId of only) {
    await tell(accountId, 'person.erased', user._id);
    await dangerouslyForgetPerson(accountId, user._id, displayName(user), NOBODY);
    await Account.updateOne(
      { _id: accountId, 'clinicalSafetyOfficer.userId': user._id },
      { $set: { clinicalSafetyOfficer: null } },
    );
    gone += (await Member.deleteOne({ accountId, userId: user._id })).deletedCount;
    await withdrawLostSignatures(accountId, null);
  }
  gone += await erasePerson(user);
  for (const accountId of only) announce(accountId, everyTopic);
  return gone;
}

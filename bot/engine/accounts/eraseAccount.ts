import { Account } from '../../../models/account.ts';
import { auditTrail } from '../../../models/auditEvent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
// Loads every entity: each declares the fields of its rows that hold people's names.
import '../../../models/entities.ts';
import { Invitation } from '../../../models/invitation.ts';
import { Member } from '../../../models/member.ts';
import { dangerouslyEraseAccount, dangerouslyForgetPerson } from '../../../models/store/accountRows.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce, everyTopic } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { Verification } from '../../../models/verification.ts';
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

/**
 * Erases a person and the accounts that only they own. Each audit chain is kept and gets one row that records the
 * erasure, so that it still verifies.
 * @returns the number of deleted documents
 */
export async function erase({ user, whole, only }: Erasure): Promise<number> {
  const at = new Date();
  const tell = (accountId: number, event: string) =>
    runInAccount(accountId, () =>
      auditTrail.append(accountId, {
        key: `${event}:${user._id}`,
        event,
        userId: user._id,
        surface: 'api',
        subject: `user:${user._id}`,
        shownDigest: null,
        outcome: 'erased',
        at,
      }),
    );
  let gone = 0;
  for (const accountId of whole) {
    await tell(accountId, 'account.erased');
    gone += await dangerouslyEraseAccount(accountId, KEPT);
    await Account.updateOne(
      { _id: accountId },
      { $set: { name: 'Erased account', clinicalSafetyOfficer: null, quietHours: null, holidays: null } },
    );
  }
  for (const accountId of only) {
    await tell(accountId, 'person.erased');
    await dangerouslyForgetPerson(accountId, user._id, displayName(user), NOBODY);
    await Account.updateOne(
      { _id: accountId, 'clinicalSafetyOfficer.userId': user._id },
      { $set: { clinicalSafetyOfficer: null } },
    );
    gone += (await Member.deleteOne({ accountId, userId: user._id })).deletedCount;
    await withdrawLostSignatures(accountId, null);
  }
  gone += (await Invitation.deleteMany({ email: user.email })).deletedCount;
  gone += (await Verification.deleteMany({ email: user.email })).deletedCount;
  gone += (await User.deleteOne({ _id: user._id })).deletedCount;
  for (const accountId of [...whole, ...only]) announce(accountId, everyTopic);
  return gone;
}

import { Account } from '../../../models/account.ts';
import { Interrupt, type InterruptRow, type LapsedSignature, type SignatureLoss } from '../../../models/interrupt.ts';
import { Member } from '../../../models/member.ts';
import { answeringOf, rolesThatMay } from '../../../models/policies/actions.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { User } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { hasAnOfficer } from './identify.ts';

type Signed = Pick<InterruptRow, '_id' | 'accountId' | 'requires' | 'firstSignature'>;

const OUTCOMES: Record<SignatureLoss, string> = {
  left: 'who left the company',
  'may-not-sign': 'who may no longer sign it',
  'one-signs': 'as two people no longer sign',
};

let redraw: (question: Pick<InterruptRow, '_id' | 'accountId'>) => void = () => undefined;

/** Registers how an open question is drawn again: `delivery` stands on this folder. */
export function onSignatureWithdrawn(how: typeof redraw): void {
  redraw = how;
}

/**
 * Why the first signature under an open question no longer counts; null where it does. Reads the store, never a cache,
 * so that a right that was lost a moment ago is lost here.
 */
export async function lossOf({ accountId, requires, firstSignature }: Signed): Promise<SignatureLoss | null> {
  if (!firstSignature) return null;
  const { userId } = firstSignature;
  const [account, member, user, hasOfficer] = await Promise.all([
    Account.findById(accountId, { signsAnswers: 1, signsTwice: 1 }).lean(),
    Member.findOne({ accountId, userId }, { roles: 1 }).lean(),
    User.exists({ _id: userId }),
    hasAnOfficer(accountId),
  ]);
  if (!member || !user) return 'left';
  if (!rolesThatMay(answeringOf({ requires }), hasOfficer).some((role) => member.roles.includes(role)))
    return 'may-not-sign';
  return account?.signsAnswers && account.signsTwice ? null : 'one-signs';
}

/**
 * Withdraws the first signature under an open question, as it was read. The question stays open and shows why.
 * @param by id of the person whose change withdrew it; null where Arc found the right lost
 */
export async function withdrawSignature(row: Signed, cause: SignatureLoss, by: number | null): Promise<void> {
  const { _id, accountId, firstSignature } = row;
  if (!firstSignature) return;
  const { userId, name, outcome, at } = firstSignature;
  await recordEvent(accountId, 'interrupt.signature-withdrawn', {
    userId: by,
    ...(by === null ? { surface: 'server' } : {}),
    subject: `interrupt:${_id}`,
    outcome: `user:${userId}, ${OUTCOMES[cause]}`,
    key: `${_id}:${userId}:${at.toISOString()}`,
  });
  const lapsedSignature: LapsedSignature = { userId, name, outcome, at, cause, withdrawnAt: new Date() };
  const { modifiedCount } = await changing(accountId, ['interrupts', 'agents'], () =>
    Interrupt.updateOne(
      { _id, accountId, status: 'pending', 'firstSignature.at': at, 'firstSignature.userId': userId },
      { $set: { firstSignature: null, lapsedSignature } },
    ),
  );
  if (modifiedCount === 1) redraw(row);
}

/**
 * Withdraws the first signatures in a company that no longer count. Called after whatever can end a right to sign: roles,
 * memberships, the officer, the company's rule.
 */
export async function withdrawLostSignatures(accountId: number, by: number | null): Promise<void> {
  await runInAccount(accountId, async () => {
    const signed = await Interrupt.find(
      { accountId, status: 'pending', firstSignature: { $ne: null } },
      { accountId: 1, requires: 1, firstSignature: 1 },
    ).lean();
    for (const row of signed) {
      const loss = await lossOf(row);
      if (loss) await withdrawSignature(row, loss, by);
    }
  });
}

import { AppError } from '../../../models/contracts/errors.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import {
  type FirstSignature,
  Interrupt,
  type InterruptRow,
  type Signature,
  type StoredDecider,
} from '../../../models/interrupt.ts';
import { Member } from '../../../models/member.ts';
import { hasSigned } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import { lossOf, withdrawSignature } from '../accounts/lostSignatures.ts';
import { memberName, readMembers } from '../accounts/members.ts';
import { mailQuestion } from '../delivery/mailQuestion.ts';
import { isAnswerableBy } from '../delivery/mails.ts';
import { redrawOpen } from '../delivery/redrawOpen.ts';

/** Whether a signature is the second one: by another person, under the same answer. */
export const isSecond = (
  first: InterruptRow['firstSignature'],
  { userId, outcome, answerDigest }: Pick<Signature, 'userId' | 'outcome' | 'answerDigest'>,
): boolean =>
  first != null && first.userId !== userId && first.outcome === outcome && first.answerDigest === answerDigest;

/** A condition on the first signature: as it was read. */
export const firstAsRead = ({ firstSignature }: Pick<InterruptRow, 'firstSignature'>) => ({
  'firstSignature.at': firstSignature?.at ?? null,
});

/**
 * The question without a first signature whose signer may no longer sign. It is withdrawn first. What is written next
 * names the signature that it read, so that a change in between is refused.
 */
export async function withoutLost(row: InterruptRow): Promise<InterruptRow> {
  const loss = await lossOf(row);
  if (!loss) return row;
  await withdrawSignature(row, loss, null);
  return { ...row, firstSignature: null };
}

/**
 * Refuses the same answer from the person who has signed it: it waits for somebody else.
 * @throws AppError signed_already, naming who is awaited
 */
export async function requireUnsigned(
  who: Who,
  row: InterruptRow,
  { answerDigest }: Pick<Signature, 'answerDigest'>,
): Promise<void> {
  if (!hasSigned(who.userId, row) || row.firstSignature?.answerDigest !== answerDigest) return;
  const [{ members }, hasOfficer] = await Promise.all([readMembers(who.accountId), hasAnOfficer(who.accountId)]);
  const names = members.filter((member) => isAnswerableBy(row, member, hasOfficer)).map(memberName);
  const text =
    names.length === 0
      ? 'Nobody else in the company can sign it: an owner can appoint the officer or a deputy under Preferences.'
      : `It waits for a second signature: ${names.join(' or ')} can give it.`;
  throw new AppError('signed_already', { text: `You have signed this answer already. ${text}` });
}

type SignedDraft = { version: number; rows: RowDecision[]; decidedBy: StoredDecider[] };

/** The signed decisions as the draft: the second person reads them, and a change of them ends the signature. */
const asDraft = ({ version, rows, decidedBy }: SignedDraft, { at, name }: FirstSignature) => ({
  'draft.rows': rows,
  'draft.version': version + 1,
  'draft.savedAt': at,
  'draft.savedBy': name,
  decidedBy,
});

/**
 * Keeps the first of two signatures, in place of one under another answer, and asks those who may sign second. The
 * question stays open.
 * @param signed the draft as it is with the signed decisions, and the version that was signed; undefined where there is
 *   none
 * @throws AppError conflict where somebody signed, answered or decided rows in between
 */
export async function keepFirst(
  row: InterruptRow,
  signature: Signature,
  via: Surface,
  signed: SignedDraft | undefined,
): Promise<InterruptRow> {
  const { _id, accountId } = row;
  const firstSignature: FirstSignature = { ...signature, via };
  const kept = await changing(accountId, ['interrupts', 'agents'], () =>
    Interrupt.findOneAndUpdate(
      {
        _id,
        status: 'pending',
        ...firstAsRead(row),
        ...(signed ? { 'draft.version': signed.version } : {}),
      },
      { $set: { firstSignature, ...(signed ? asDraft(signed, firstSignature) : {}) } },
      { returnDocument: 'after' },
    ).lean(),
  );
  if (!kept) throw new AppError('conflict');
  redrawOpen(kept);
  const others = await Member.find({ accountId, userId: { $ne: signature.userId } }).lean();
  await mailQuestion(kept, 'signed-once', others);
  return kept;
}

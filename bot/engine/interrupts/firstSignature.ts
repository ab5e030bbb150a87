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
import { changing } from '../../../models/store/revisions.ts';
import { mailQuestion } from '../delivery/mailQuestion.ts';
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

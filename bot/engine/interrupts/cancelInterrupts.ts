import type { Types } from 'mongoose';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { changing } from '../../../models/store/revisions.ts';
import { closeDeliveries } from '../delivery/deliverQuestion.ts';

/**
 * Withdraws a run's pending questions and redraws them as withdrawn. Answered questions are not changed.
 * @param draftVersion withdraws only while the review's draft has this version, so that no new decision is lost
 */
export async function cancelInterrupts(runId: Types.ObjectId, draftVersion?: number): Promise<void> {
  const pending = await Interrupt.find({ runId, status: 'pending' }).lean();
  for (const row of pending) await withdrawQuestion(row, draftVersion);
}

/**
 * Withdraws one question, where it is still pending, and redraws it as withdrawn.
 * @returns whether this call withdrew it
 */
export async function withdrawQuestion(row: InterruptRow, draftVersion?: number): Promise<boolean> {
  const unchanged = draftVersion === undefined ? {} : { 'draft.version': draftVersion };
  const cancelled = await changing(row.accountId, ['interrupts', 'agents'], () =>
    Interrupt.updateOne(
      { _id: row._id, status: 'pending', ...unchanged },
      { $set: { status: 'cancelled', resolvedAt: new Date() } },
    ),
  );
  if (cancelled.modifiedCount !== 1) return false;
  await closeDeliveries({ ...row, status: 'cancelled' });
  return true;
}

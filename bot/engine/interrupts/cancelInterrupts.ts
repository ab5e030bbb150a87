import type { Types } from 'mongoose';
import { Interrupt, type InterruptRow, withdrawalOf } from '../../../models/interrupt.ts';
import { changing } from '../../../models/store/revisions.ts';
import { applyOrLeave } from './applyConsequences.ts';

type Withdrawn = {
  /** The person who withdraws it; absent or null where Arc does, e.g. since its work ended. */
  by?: number | null | undefined;
  /** Withdraws only while the review's draft has this version, so that no new decision is lost. */
  draftVersion?: number | undefined;
};

/** Withdraws a run's pending questions and redraws them as withdrawn. Answered questions are not changed. */
export async function cancelInterrupts(runId: Types.ObjectId, how: Withdrawn = {}): Promise<void> {
  const pending = await Interrupt.find({ runId, status: 'pending' }).lean();
  for (const row of pending) await withdrawQuestion(row, how);
}

/**
 * Withdraws one question, where it is still pending. That it is in the audit, redrawn everywhere and told to the program
 * that asked is written in the same update; what of it fails is done later.
 * @returns whether this call withdrew it
 */
export async function withdrawQuestion(
  row: InterruptRow,
  { by = null, draftVersion }: Withdrawn = {},
): Promise<boolean> {
  const unchanged = draftVersion === undefined ? {} : { 'draft.version': draftVersion };
  const change = {
    status: 'cancelled' as const,
    resolvedAt: new Date(),
    withdrawnBy: by,
    outbox: withdrawalOf(row),
  };
  const cancelled = await changing(row.accountId, ['interrupts', 'agents'], () =>
    Interrupt.updateOne({ _id: row._id, status: 'pending', ...unchanged }, { $set: change }),
  );
  if (cancelled.modifiedCount !== 1) return false;
  await applyOrLeave({ ...row, ...change });
  return true;
}

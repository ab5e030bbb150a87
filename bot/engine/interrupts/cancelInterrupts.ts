import type { Types } from 'mongoose';
import { Interrupt, type InterruptRow, withdrawalOf } from '../../../models/interrupt.ts';
import { changing } from '../../../models/store/revisions.ts';
import { applyOrLeave, consequences } from './applyConsequences.ts';

type Withdrawn = {
  /** User id of the person who withdraws it; absent or null if Arc does, e.g. because the run ended. */
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
 * Withdraws one question if it is still pending. The same update queues the side effects: its audit row, redrawing it
 * everywhere, and the webhook of the program that asked. The sweeper retries those that fail.
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
    ...consequences.newClaim(),
  };
  const cancelled = await changing(row.accountId, ['interrupts', 'agents'], () =>
    Interrupt.updateOne({ _id: row._id, status: 'pending', ...unchanged }, { $set: change }),
  );
  if (cancelled.modifiedCount !== 1) return false;
  await applyOrLeave({ ...row, ...change });
  return true;
}

import type { Types } from 'mongoose';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { changing } from '../../../models/store/revisions.ts';
import { closeDeliveries } from '../delivery/deliverQuestion.ts';

/** Withdraws what a run asks: its questions are cancelled and redrawn as such. */
export async function cancelInterrupts(runId: Types.ObjectId): Promise<void> {
  const pending = (await Interrupt.find({ runId, status: 'pending' }).lean()) as InterruptRow[];
  for (const row of pending) {
    const cancelled = await changing(row.accountId, ['interrupts', 'agents'], () =>
      Interrupt.updateOne(
        { _id: row._id, status: 'pending' },
        { $set: { status: 'cancelled', resolvedAt: new Date() } },
      ),
    );
    if (cancelled.modifiedCount === 1) await closeDeliveries({ ...row, status: 'cancelled' });
  }
}

import { Delivery } from '../../../models/delivery.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { sendDelivery } from './deliverQuestion.ts';

/** Sends what is due and was not sent: failed before, or left by a crash. @returns how many were tried */
export async function sweepDeliveries(): Promise<number> {
  const due = await dangerouslyRunInEveryAccount(() =>
    Delivery.find({ status: { $in: ['due', 'closing'] }, dueAt: { $lte: new Date(Date.now() - 5000) } })
      .limit(200)
      .lean(),
  );
  for (const delivery of due) await runInAccount(delivery.accountId, () => sendDelivery(delivery));
  return due.length;
}

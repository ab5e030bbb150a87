import { Delivery } from '../../../models/delivery.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { sendMessage } from './deliverMessage.ts';
import { sendQuestion } from './deliverQuestion.ts';

/** A row this young may be on its way in another process. */
const GRACE_MILLISECONDS = 5000;

/** Sends what is due and was not sent: failed before, or left by a crash; oldest first. @returns how many were tried */
export async function sweepDeliveries(graceMilliseconds = GRACE_MILLISECONDS): Promise<number> {
  const due = await dangerouslyRunInEveryAccount(() =>
    Delivery.find({
      status: { $in: ['due', 'closing'] },
      dueAt: { $lte: new Date(Date.now() - graceMilliseconds) },
    })
      .sort({ _id: 1 })
      .limit(200)
      .lean(),
  );
  for (const delivery of due) {
    await runInAccount(delivery.accountId, () => (delivery.messageId ? sendMessage(delivery) : sendQuestion(delivery)));
  }
  return due.length;
}

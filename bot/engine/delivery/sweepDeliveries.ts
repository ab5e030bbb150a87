import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { sendMessage } from './deliverMessage.ts';
import { sendQuestion } from './deliverQuestion.ts';
import { performTask } from './deliverTask.ts';
import { claimDelivery } from './outbox.ts';

const sendAny = (delivery: DeliveryRow) =>
  delivery.task ? performTask(delivery) : delivery.messageId ? sendMessage(delivery) : sendQuestion(delivery);

/** Sends what is due and was not sent: failed before, or left by a crash; oldest first. @returns how many were tried */
export async function sweepDeliveries(): Promise<number> {
  const due = await dangerouslyRunInEveryAccount(() =>
    Delivery.find({ status: { $in: ['due', 'closing'] }, dueAt: { $lte: new Date() } })
      .sort({ _id: 1 })
      .limit(200)
      .lean(),
  );
  let tried = 0;
  for (const delivery of due) {
    await runInAccount(delivery.accountId, async () => {
      if (!(await claimDelivery(delivery))) return;
      tried += 1;
      await sendAny(delivery);
    });
  }
  return tried;
}

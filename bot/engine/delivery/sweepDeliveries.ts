import { LIMITS } from '../../../models/contracts/limits.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Message } from '../../../models/message.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { linkToChat, linkToReview } from './consent.ts';
import { sendStoredMail } from './deliverMail.ts';
import { sendMessage } from './deliverMessage.ts';
import { sendQuestion } from './deliverQuestion.ts';
import { performTask } from './deliverTask.ts';
import { sendWebhook } from './deliverWebhook.ts';
import { claimDelivery, releaseDelivery } from './outbox.ts';
import { say } from './say.ts';

const sendAny = (delivery: DeliveryRow) =>
  delivery.webhook
    ? sendWebhook(delivery)
    : delivery.mail
      ? sendStoredMail(delivery)
      : delivery.task
        ? performTask(delivery)
        : delivery.messageId
          ? sendMessage(delivery)
          : sendQuestion(delivery);

/**
 * Sends due deliveries whose first attempt failed or was lost in a crash, oldest first.
 * @returns the number of attempts
 */
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
      if (!(await claimDelivery(delivery, true))) return;
      tried += 1;
      // The attempt made when it was written counts too.
      if ((delivery.begun ?? 0) + 1 >= LIMITS.crashes) await setAside(delivery);
      else await sendAny(delivery);
    }).catch((error: unknown) => logger.error({ err: error, delivery: delivery.key }, 'delivery is tried again'));
  }
  return tried;
}

/** Gives up a delivery that ended the process on every attempt, and says so in its conversation. */
async function setAside(delivery: DeliveryRow): Promise<void> {
  const { _id, key, interruptId, messageId, task } = delivery;
  logger.error(
    { delivery: key, account: delivery.accountId },
    'delivery given up: it ended the process on every attempt',
  );
  const subject = interruptId
    ? await Interrupt.findOne({ _id: interruptId }, { conversationId: 1 }).lean()
    : messageId
      ? await Message.findOne({ _id: messageId }, { conversationId: 1 }).lean()
      : task;
  const conversation = subject?.conversationId ? await Conversation.findById(subject.conversationId).lean() : null;
  const what = interruptId
    ? `Question ${interruptId} could not be shown or updated here. It is in Arc: ${linkToReview(interruptId)}`
    : messageId
      ? `A message could not be sent here. Read it in Arc: ${linkToChat(conversation?._id)}`
      : 'The last thing that you asked me to do here could not be done. Please try it again in Arc.';
  // Sent before the row is marked as failed: after a crash in between it is sent again, deduplicated by its key, rather
  // than never.
  if (conversation)
    await say(conversation, { key: `delivery:${_id}:set-aside`, messageType: 'system', kind: 'text', text: what });
  await Delivery.updateOne({ _id }, { $set: { status: 'failed', error: 'ended the process each time' } });
  releaseDelivery(delivery);
}

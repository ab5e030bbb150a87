import { Conversation } from '../../../models/conversation.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { Message } from '../../../models/message.ts';
import { linkToChat, linkToReview } from './consent.ts';
import { sendStoredMail } from './deliverMail.ts';
import { sendMessage } from './deliverMessage.ts';
import { sendQuestion } from './deliverQuestion.ts';
import { performTask } from './deliverTask.ts';
import { sendWebhook } from './deliverWebhook.ts';
import { deliveries } from './outbox.ts';
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
export const sweepDeliveries = (): Promise<number> => deliveries.sweep({ handle: sendAny, tellSetAside });

/** Says in its conversation that a delivery is given up. */
async function tellSetAside({ _id, interruptId, messageId, task }: DeliveryRow): Promise<void> {
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
  if (conversation)
    await say(conversation, { key: `delivery:${_id}:set-aside`, messageType: 'system', kind: 'text', text: what });
}

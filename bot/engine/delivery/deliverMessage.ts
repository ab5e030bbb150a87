import { runInBackground } from '../../../models/background.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import { logger } from '../../../models/logger.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import { channelNamed } from './channel.ts';
import { deliveries, runInQueue, tryDelivery, writeDelivery } from './outbox.ts';

/**
 * Sends a stored message on its channel. On our own pages that is a push, and a missed one is found in the history.
 * Remote channels use the outbox, which keeps the conversation's order; a person's own message is not sent back.
 * @param first false where the message existed already
 * @param shown what the channel has shown of it already
 */
export async function deliverMessage(
  conversation: ConversationRow,
  message: MessageRow,
  first: boolean,
  shown: DeliveryRow['reference'] = null,
): Promise<void> {
  const channel = channelNamed(conversation.address.channel);
  if (!channel) return;
  if (!channel.remote) {
    if (!first) return;
    await channel
      .say(conversation, message, { reference: null, keep: async () => undefined })
      .catch((error: unknown) =>
        logger.warn({ err: error, message: String(message._id) }, 'message could not be pushed'),
      );
    return;
  }
  if (message.messageType === 'user') return;
  const { accountId, _id: messageId } = message;
  const delivery = await writeDelivery({
    accountId,
    interruptId: null,
    messageId,
    conversationId: conversation._id,
    surface: channel.surfaces[0] ?? 'api',
    reference: shown,
  });
  if (!delivery) return;
  runInBackground(
    'delivery of a message',
    runInQueue(conversation._id, () => tryDelivery(delivery, (sending) => channel.say(conversation, message, sending))),
  );
}

/** Sends a message whose first attempt failed or was never made. */
export async function sendMessage(delivery: DeliveryRow): Promise<void> {
  const message = await Message.findOne({ _id: delivery.messageId }).lean();
  const conversation = message && (await Conversation.findById(message.conversationId).lean());
  const channel = conversation && channelNamed(conversation.address.channel);
  if (!channel) return deliveries.letGo(delivery);
  await tryDelivery(delivery, (sending) => channel.say(conversation, message, sending));
}

import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Delivery } from '../../../models/delivery.ts';

/** How many of a conversation's last messages are looked through. */
const MAX_LOOKED_AT = 500;

/**
 * The message behind an id that the platform gave to something that Arc sent, by the `ids` in its delivery's reference.
 * @param address the place in which it was sent; its thread does not matter
 * @returns its id; null where it is not among the last messages there
 */
export async function findSentMessage(
  accountId: number,
  { channel, conversation }: Pick<Address, 'channel' | 'conversation'>,
  platformId: string,
): Promise<string | null> {
  const places = await Conversation.find(
    { accountId, 'address.channel': channel, 'address.conversation': conversation },
    { _id: 1 },
  ).lean();
  const sent = await Delivery.find(
    { accountId, conversationId: { $in: places.map(({ _id }) => _id) } },
    { messageId: 1, reference: 1 },
  )
    .sort({ _id: -1 })
    .limit(MAX_LOOKED_AT)
    .lean();
  const found = sent.find(({ messageId, reference }) => {
    const { ids } = (reference ?? {}) as { ids?: unknown };
    return messageId !== null && Array.isArray(ids) && ids.includes(platformId);
  });
  return found ? String(found.messageId) : null;
}

import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';

/** Channel, conversation and thread as one string. */
export const conversationKey = ({ channel, conversation, thread }: Address) =>
  [channel, conversation, thread ?? ''].join('|');

/** Conversations rarely change place: their ids are kept, so that a message costs no search for its own. */
const known = new Map<string, ConversationRow['_id']>();

/** The conversation at an address, made on first use. */
export async function openConversation(accountId: number, address: Address): Promise<ConversationRow> {
  const key = conversationKey(address);
  const _id = known.get(`${accountId}|${key}`);
  const found = _id ? await Conversation.findOne({ _id, accountId }).lean() : null;
  if (found) return found;
  const row = (await Conversation.findOneAndUpdate(
    { accountId, key },
    {
      $setOnInsert: {
        accountId,
        key,
        address,
        userAgentId: null,
        logFileId: null,
        ticketsFileId: null,
        createdAt: new Date(),
      },
    },
    { upsert: true, returnDocument: 'after' },
  ).lean()) as ConversationRow;
  if (known.size > 50_000) known.clear();
  known.set(`${accountId}|${key}`, row._id);
  return row;
}

/** Where a person's arc-chat is: one conversation each. */
export const arcAddress = (userId: number): Address => ({
  channel: 'arc',
  conversation: `user:${userId}`,
  thread: null,
});

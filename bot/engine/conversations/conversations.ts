import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationFiles, type ConversationRow } from '../../../models/conversation.ts';
import { requireRow } from '../../../models/store/requireRow.ts';

/** The key of an address: channel, conversation and thread (empty where there is none). */
export const conversationKey = ({ channel, conversation, thread }: Address) =>
  [channel, conversation, thread].join('|');

/** Ids by key: they never change, so a message costs no lookup by key. */
const known = new Map<string, ConversationRow['_id']>();

/** The agent and the files that a new thread inherits from the channel or chat it was started in. */
async function inherit(accountId: number, address: Address) {
  const place = address.thread
    ? await Conversation.findOne({ accountId, key: conversationKey({ ...address, thread: null }) }).lean()
    : null;
  return {
    placeId: place?._id ?? null,
    userAgentId: place?.userAgentId ?? null,
    files: place?.files ?? {},
  };
}

/**
 * The conversation at an address, created on first use. A new thread inherits from the conversation it was started in.
 * @param direct true in a one-to-one chat, whose threads share their agent and files
 */
export async function openConversation(accountId: number, address: Address, direct = false): Promise<ConversationRow> {
  const key = conversationKey(address);
  const _id = known.get(`${accountId}|${key}`);
  const found = _id ? await Conversation.findOne({ _id, accountId }).lean() : null;
  if (found) return found;
  if (direct && address.thread) await openConversation(accountId, { ...address, thread: null }, direct);
  const row = requireRow(
    await Conversation.findOneAndUpdate(
      { accountId, key },
      {
        $setOnInsert: { address, direct, ...(await inherit(accountId, address)) },
      },
      { upsert: true, returnDocument: 'after' },
    ).lean(),
  );
  if (known.size > 50_000) known.clear();
  known.set(`${accountId}|${key}`, row._id);
  return row;
}

/** Address of a person's arc-chat; each person has one. */
export const arcAddress = (userId: number): Address => ({
  channel: OWN_CHANNEL,
  conversation: `user:${userId}`,
  thread: null,
});

/** Ids of the conversations that share agent and files with this one, itself included. */
export const sharing = ({ _id, placeId, direct }: ConversationRow): ConversationRow['_id'][] =>
  direct && placeId ? [_id, placeId] : [_id];

/** Id of the queue that orders a conversation's turns; the threads of a one-to-one chat share one. */
export const queueIdOf = ({ _id, placeId, direct }: ConversationRow): ConversationRow['_id'] =>
  direct && placeId ? placeId : _id;

/** Ids of all conversations in the same queue. */
export async function conversationsInQueue(conversation: ConversationRow): Promise<ConversationRow['_id'][]> {
  const queueId = queueIdOf(conversation);
  if (!conversation.direct) return [queueId];
  const { accountId } = conversation;
  const threads = await Conversation.find({ accountId, placeId: queueId, direct: true }, { _id: 1 }).lean();
  return [queueId, ...threads.map(({ _id }) => _id)];
}

/** The current files of a one-to-one chat, for one of its threads; none for other conversations. */
export async function readChatFiles({ placeId, direct }: Pick<ConversationRow, 'placeId' | 'direct'>) {
  const place = direct && placeId ? await Conversation.findById(placeId, { files: 1 }).lean() : null;
  return place?.files ?? {};
}

/**
 * Sets the current files by kind; in a thread of a one-to-one chat also for the chat.
 * @returns the conversation as it was before
 */
export async function setCurrentFiles(
  conversation: ConversationRow,
  files: ConversationFiles,
): Promise<ConversationRow> {
  const update = { $set: Object.fromEntries(Object.entries(files).map(([kind, id]) => [`files.${kind}`, id])) };
  // Returns the row before the update.
  const before = await Conversation.findOneAndUpdate({ _id: conversation._id }, update).lean();
  const [, ...chat] = sharing(conversation);
  await Conversation.updateMany({ _id: { $in: chat } }, update);
  return requireRow(before);
}

/**
 * Ids of the conversations whose questions may be answered in words here: this one, the one its thread was started in,
 * and sibling threads of a one-to-one chat.
 */
export async function answerable({ _id, accountId, placeId, direct }: ConversationRow): Promise<Set<string>> {
  const place = direct ? (placeId ?? _id) : null;
  const siblings = place ? await Conversation.find({ accountId, placeId: place, direct: true }, { _id: 1 }).lean() : [];
  return new Set([_id, placeId, ...siblings.map((one) => one._id)].filter(Boolean).map(String));
}

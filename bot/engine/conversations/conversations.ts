import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationFiles, type ConversationRow } from '../../../models/conversation.ts';
import { requireRow } from '../../../models/store/requireRow.ts';

/** Channel, conversation and thread as one string; nothing stands for no thread. */
export const conversationKey = ({ channel, conversation, thread }: Address) =>
  [channel, conversation, thread].join('|');

/** Conversations rarely change place: their ids are kept, so that a message costs no search for its own. */
const known = new Map<string, ConversationRow['_id']>();

/** What a thread takes over from the place that it began in: its agent and the files that it works on. */
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
 * The conversation at an address, made on first use. A thread goes on from the place that it began in.
 * @param direct true in one person's own chat, whose threads are one talk
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

/** Where a person's arc-chat is: one conversation each. */
export const arcAddress = (userId: number): Address => ({
  channel: OWN_CHANNEL,
  conversation: `user:${userId}`,
  thread: null,
});

/** A conversation, and the place that it shares its agent and its files with. */
export const sharing = ({ _id, placeId, direct }: ConversationRow): ConversationRow['_id'][] =>
  direct && placeId ? [_id, placeId] : [_id];

/** In what turns follow each other: the conversation, or all threads of one person's own chat. */
export const lineOf = ({ _id, placeId, direct }: ConversationRow): ConversationRow['_id'] =>
  direct && placeId ? placeId : _id;

/** The conversations whose turns follow each other with those of this one. */
export async function conversationsInLine(conversation: ConversationRow): Promise<ConversationRow['_id'][]> {
  const line = lineOf(conversation);
  if (!conversation.direct) return [line];
  const { accountId } = conversation;
  const threads = await Conversation.find({ accountId, placeId: line, direct: true }, { _id: 1 }).lean();
  return [line, ...threads.map(({ _id }) => _id)];
}

/** The files that came into a person's own chat, for a thread of it; none for any other conversation. */
export async function readChatFiles({ placeId, direct }: Pick<ConversationRow, 'placeId' | 'direct'>) {
  const place = direct && placeId ? await Conversation.findById(placeId, { files: 1 }).lean() : null;
  return place?.files ?? {};
}

/**
 * Makes files the current ones of their kinds, in a thread of a person's own chat for the chat too.
 * @returns the conversation as it was before
 */
export async function setCurrentFiles(
  conversation: ConversationRow,
  files: ConversationFiles,
): Promise<ConversationRow> {
  const update = { $set: Object.fromEntries(Object.entries(files).map(([kind, id]) => [`files.${kind}`, id])) };
  // Gives the row as it was.
  const before = await Conversation.findOneAndUpdate({ _id: conversation._id }, update).lean();
  const [, ...chat] = sharing(conversation);
  await Conversation.updateMany({ _id: { $in: chat } }, update);
  return requireRow(before);
}

/** The conversations whose questions may be answered in words in this one: its place, and its siblings in one's own chat. */
export async function answerable({ _id, accountId, placeId, direct }: ConversationRow): Promise<Set<string>> {
  const place = direct ? (placeId ?? _id) : null;
  const siblings = place ? await Conversation.find({ accountId, placeId: place, direct: true }, { _id: 1 }).lean() : [];
  return new Set([_id, placeId, ...siblings.map((one) => one._id)].filter(Boolean).map(String));
}

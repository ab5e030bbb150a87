import { Types } from 'mongoose';
import type { Attachment, ChatMessage, MessageCard, MessageKind } from '../../../models/contracts/chat.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { changing } from '../../../models/store/revisions.ts';
import { deliverMessage } from './deliverMessage.ts';

export type Saying = {
  /** Idempotency key within the conversation. */
  key: string;
  kind: MessageKind;
  text: string;
  messageType?: MessageRow['messageType'];
  agent?: { agentId: string; displayName: string } | null;
  attachments?: Attachment[];
  card?: MessageCard;
  clientId?: string | null;
  /** Replacement texts where content of documents may not be sent. */
  derived?: MessageRow['derived'];
  /** Set where a language model wrote it. */
  generated?: MessageRow['generated'];
  /** What the channel has shown of it already, while it was written. */
  shown?: Record<string, unknown> | null;
  /** Set where the message's id is known beforehand. */
  _id?: Types.ObjectId;
};

/** Stores a message and sends it on the conversation's channel, once per key. */
export async function say(conversation: ConversationRow, saying: Saying): Promise<MessageRow> {
  const row: MessageRow = {
    _id: saying._id ?? new Types.ObjectId(),
    accountId: conversation.accountId,
    conversationId: conversation._id,
    key: saying.key,
    messageType: saying.messageType ?? 'assistant',
    kind: saying.kind,
    text: saying.text,
    agentId: saying.agent?.agentId ?? null,
    agentName: saying.agent?.displayName ?? null,
    attachments: saying.attachments ?? [],
    card: saying.card ?? null,
    clientId: saying.clientId ?? null,
    derived: saying.derived ?? null,
    generated: saying.generated ?? null,
    createdAt: new Date(),
  };
  const first = await changing(conversation.accountId, ['chat'], () => onceByKey(() => insertRow(Message, row)));
  // Already stored: it is delivered again, in case the process ended between storing and sending.
  const standing = first ? row : await findByKey(row);
  await deliverMessage(conversation, standing, first, saying.shown ?? null);
  return standing;
}

async function findByKey(row: MessageRow): Promise<MessageRow> {
  const { accountId, conversationId, key } = row;
  return (await Message.findOne({ accountId, conversationId, key }).lean()) ?? row;
}

/** A message as pages and channels get it. */
export function viewMessage(row: MessageRow): ChatMessage {
  return {
    id: String(row._id),
    conversation: String(row.conversationId),
    messageType: row.messageType,
    message: row.text,
    response: null,
    timestamp: row.createdAt.toISOString(),
    kind: row.kind,
    agentId: row.agentId,
    agentName: row.agentName,
    attachments: row.attachments,
    card: row.card,
    clientId: row.clientId,
    feedback: row.feedback ? { value: row.feedback.value, reason: row.feedback.reason } : null,
  };
}

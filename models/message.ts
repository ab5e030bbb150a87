import type { Types } from 'mongoose';
import type { Attachment, Feedback, MessageCard, MessageKind } from './contracts/chat.ts';
import { entity } from './store/entity.ts';

/** What an answer cites by a number: the names of the sources, and our page of the first that has one. */
type Cited = { number: number; labels: string[]; path: string | null };

/** A message of a conversation, on any channel. */
export type MessageRow = {
  _id: Types.ObjectId;
  accountId: number;
  conversationId: Types.ObjectId;
  /** Idempotency key within the conversation. */
  key: string;
  messageType: 'user' | 'assistant' | 'system';
  kind: MessageKind;
  text: string;
  agentId: string | null;
  agentName: string | null;
  attachments: Attachment[];
  card: MessageCard;
  clientId: string | null;
  /**
   * Set where the text holds content from documents or tickets: the texts to send instead under redacted or
   * reference-only consent. Null where the text may be sent as it is.
   */
  derived: { redacted: string; reference: string } | null;
  /** Set where a language model wrote it. */
  generated?: { sources: Cited[] } | null;
  /** What the person of the conversation thinks of it; kept for the evaluation. */
  feedback?: (Feedback & { at: Date }) | null;
  createdAt: Date;
};

export const Message = entity<MessageRow>({
  name: 'Message',
  collection: 'messages',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    conversationId: 'ObjectId',
    key: String,
    messageType: String,
    kind: String,
    text: String,
    agentId: { type: String, default: null },
    agentName: { type: String, default: null },
    attachments: { type: [Object], default: [] },
    card: { type: Object, default: null },
    clientId: { type: String, default: null },
    derived: { type: Object, default: null },
    generated: { type: Object, default: null },
    feedback: { type: Object, default: null },
    createdAt: Date,
  },
  indexes: [
    [{ accountId: 1, conversationId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, conversationId: 1, _id: -1 }],
  ],
});

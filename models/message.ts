import type { Types } from 'mongoose';
import type { Attachment, MessageCard, MessageKind } from './contracts/chat.ts';
import { entity } from './store/entity.ts';

/** What was said in a conversation, by whom; the history of every channel. */
export type MessageRow = {
  _id: Types.ObjectId;
  accountId: number;
  conversationId: Types.ObjectId;
  /** Effect key: the same message written twice is there once. */
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
   * Set where the text holds something from documents or tickets: what may be said in its place on a channel
   * whose consent is less than full. Null where the text may leave as it is.
   */
  derived: { redacted: string; reference: string } | null;
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
    createdAt: Date,
  },
  indexes: [
    [{ accountId: 1, conversationId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, conversationId: 1, _id: -1 }],
  ],
});

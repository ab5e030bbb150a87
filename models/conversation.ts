import type { Types } from 'mongoose';
import type { Address } from './contracts/turn.ts';
import { entity } from './store/entity.ts';

/** A thread of talk on one channel; it remembers its agent and the files it works on. */
export type ConversationRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Channel, conversation and thread as one string. */
  key: string;
  address: Address;
  /** The conversation of the place that a thread began in: what was asked there may be answered here. */
  placeId?: Types.ObjectId | null;
  /** One person's own chat: its threads are one talk, with one agent and the same files. */
  direct?: boolean;
  userAgentId: number | null;
  /** The newest files of each kind that were dropped in. */
  logFileId: Types.ObjectId | null;
  ticketsFileId: Types.ObjectId | null;
  createdAt: Date;
};

export const Conversation = entity<ConversationRow>({
  name: 'Conversation',
  collection: 'conversations',
  scope: 'customer',
  fields: {
    key: String,
    address: Object,
    placeId: { type: 'ObjectId', default: null },
    direct: { type: Boolean, default: false },
    userAgentId: { type: Number, default: null },
    logFileId: { type: 'ObjectId', default: null },
    ticketsFileId: { type: 'ObjectId', default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, placeId: 1 }, { partialFilterExpression: { direct: true } }],
  ],
});

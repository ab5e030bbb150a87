import type { Types } from 'mongoose';
import type { Address } from './contracts/turn.ts';
import { entity } from './store/entity.ts';

/** The files that a conversation works on: the newest of each kind that was dropped in (`FileRow.kind`). */
export type ConversationFiles = Record<string, Types.ObjectId>;

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
  files: ConversationFiles;
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
    files: { type: Object, default: {} },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, placeId: 1 }, { partialFilterExpression: { direct: true } }],
  ],
  migrations: [
    {
      title: 'the files of a conversation are kept by their kind',
      change({ logFileId, ticketsFileId, ...row }) {
        const files = {
          ...(logFileId ? { 'hazard-log': logFileId } : {}),
          ...(ticketsFileId ? { tickets: ticketsFileId } : {}),
        };
        return { ...row, files };
      },
    },
  ],
});

import type { Types } from 'mongoose';
import { EARLIER_FILE_FIELDS } from './clinical_safety/earlierRows.ts';
import type { Address } from './contracts/turn.ts';
import { entity } from './store/entity.ts';

/** The current files of a conversation: the newest of each kind (`FileRow.kind`). */
export type ConversationFiles = Record<string, Types.ObjectId>;

/** A conversation on one channel (a chat or a thread), with its current agent and files. */
export type ConversationRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Channel, conversation and thread as one string. */
  key: string;
  address: Address;
  /**
   * The conversation of the channel or chat that this thread was started in. Questions asked there may be answered
   * here.
   */
  placeId?: Types.ObjectId | null;
  /** True in a one-to-one chat with the app: its threads share one agent and the same files. */
  direct?: boolean;
  userAgentId: number | null;
  files: ConversationFiles;
  /** The name that its person gave it. Without one it is called by its first message. */
  title?: string | null;
  /** Id of the thread that is open, on the first conversation of a person's arc-chat; null where it is itself. */
  openThreadId?: Types.ObjectId | null;
  /** When its person deleted it. Its messages are gone; the row stays, because runs name it. */
  deletedAt?: Date | null;
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
    title: { type: String, default: null },
    openThreadId: { type: 'ObjectId', default: null },
    deletedAt: { type: Date, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, placeId: 1 }, { partialFilterExpression: { direct: true } }],
  ],
  migrations: [
    {
      title: 'the files of a conversation are kept by their kind',
      change(row) {
        const fields = Object.entries(row);
        const kept = fields.filter(([field]) => !(field in EARLIER_FILE_FIELDS));
        const files = fields.flatMap(([field, fileId]) => {
          const kind = EARLIER_FILE_FIELDS[field];
          return kind && fileId ? [[kind, fileId]] : [];
        });
        return { ...Object.fromEntries(kept), files: Object.fromEntries(files) };
      },
    },
  ],
});

import type { Types } from 'mongoose';
import type { Turn as TurnContract } from './contracts/turn.ts';
import { entity } from './store/entity.ts';

/** What a person said, stored before it was acknowledged. */
export type TurnRow = TurnContract & {
  _id: Types.ObjectId;
  accountId: number;
  /** stored: acknowledged, nothing done yet; done: a run or an answer carries it on. */
  status: 'stored' | 'done';
  conversationId: Types.ObjectId;
  clientId: string | null;
  createdAt: Date;
};

export const Turn = entity<TurnRow>({
  name: 'Turn',
  collection: 'turns',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    channel: String,
    address: Object,
    speaker: Object,
    text: String,
    files: { type: [Object], default: [] },
    eventId: String,
    status: { type: String, default: 'stored' },
    conversationId: 'ObjectId',
    clientId: { type: String, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ channel: 1, eventId: 1 }, { unique: true }],
    [{ status: 1, createdAt: 1 }, { partialFilterExpression: { status: 'stored' } }],
  ],
});

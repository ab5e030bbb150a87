import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

/** A file with everything that Arc holds of a company, asked for by an owner; the row is the work of preparing it. */
export type AccountExportRow = WorkRow & {
  _id: Types.ObjectId;
  askedBy: { userId: number; name: string };
  /** `failed`: given up, so an owner can ask again. `dropped`: and an administrator has seen to it. */
  status: 'preparing' | 'ready' | 'failed' | 'dropped';
  /** Documents that were written so far, and how many there were at the beginning; null before they were counted. */
  done: number;
  total: number | null;
  /** The stored file once it is ready. */
  fileId: Types.ObjectId | null;
  createdAt: Date;
};

export const AccountExport = entity<AccountExportRow>({
  name: 'AccountExport',
  collection: 'accountExports',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    askedBy: Object,
    status: { type: String, default: 'preparing' },
    done: { type: Number, default: 0 },
    total: { type: Number, default: null },
    fileId: { type: 'ObjectId', default: null },
    createdAt: { type: Date, default: Date.now },
    ...WORK_FIELDS,
  },
  names: [{ name: 'askedBy.name', userId: 'askedBy.userId' }],
  indexes: [
    [{ accountId: 1, createdAt: -1 }],
    [{ accountId: 1 }, { unique: true, partialFilterExpression: { status: 'preparing' }, name: 'one_at_once' }],
    [{ status: 1, dueAt: 1 }],
  ],
});

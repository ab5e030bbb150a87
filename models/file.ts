import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** A file of an account; its bytes are in GridFS under the same id. */
export type FileRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Unique within the account; what /api/download/{fileName} names. */
  name: string;
  /** As it was called where it came from. */
  originalName: string;
  kind: 'hazard-log' | 'tickets' | 'result' | 'export';
  type: string;
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string;
  /** What made it: the same key gives the same file. */
  key: string;
  createdAt: Date;
  /** From then on a download answers 410. */
  expiresAt: Date;
  /** True once the bytes are gone. */
  removed: boolean;
};

export const StoredFile = entity<FileRow>({
  name: 'StoredFile',
  collection: 'storedFiles',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    name: String,
    originalName: String,
    kind: String,
    type: String,
    size: Number,
    digest: String,
    key: String,
    createdAt: { type: Date, default: Date.now },
    expiresAt: Date,
    removed: { type: Boolean, default: false },
  },
  indexes: [
    [{ accountId: 1, name: 1 }, { unique: true }],
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ expiresAt: 1 }],
  ],
});

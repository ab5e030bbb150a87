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
  /** `result`, `export`, `document`, or what the agent that took it saw in it. */
  kind: string;
  type: string;
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string;
  /** What made it: the same key gives the same file. */
  key: string;
  createdAt: Date;
  /** With a document: who put it there, a person or an agent. */
  addedBy: { userId: number | null; name: string } | null;
  /** From then on a download answers 410; null for what stays until it is deleted. */
  expiresAt: Date | null;
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
    addedBy: { type: Object, default: null },
    expiresAt: { type: Date, default: null },
    removed: { type: Boolean, default: false },
  },
  names: [{ name: 'addedBy.name', userId: 'addedBy.userId' }],
  indexes: [
    [{ accountId: 1, name: 1 }, { unique: true }],
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, kind: 1, createdAt: -1 }],
    [{ expiresAt: 1 }],
  ],
});

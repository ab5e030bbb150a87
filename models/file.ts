import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** What a file was read from, where Arc read it from a connected tool. */
export type FileSource = {
  /** The connector's id, and its name for people. */
  service: string;
  name: string;
  /** What was read, in a few words: "project NRL". */
  query: string;
  /** What changed in the tool since then is not in the file. */
  syncedAt: Date;
  /** Rows that were read; of a document, 1. */
  count: number;
  /** Where a document is in the tool. */
  url?: string;
};

/** The kind of a file with everything of a company: only its own call gives it to an owner. */
export const ACCOUNT_EXPORT = 'account-export';

/** A file of an account; its bytes are in GridFS under the same id. */
export type FileRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Unique within the account; what /api/download/{fileName} names. */
  name: string;
  /** The name that it was uploaded or created with. */
  originalName: string;
  /** `result`, `export`, `document`, or the kind that the accepting agent recognised. */
  kind: string;
  type: string;
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string;
  /** Idempotency key: storing with the same key returns the existing file. */
  key: string;
  createdAt: Date;
  /** Documents only: who added it, a person or an agent. */
  addedBy: { userId: number | null; name: string } | null;
  /** Absent or null for files that people or agents made. */
  source?: FileSource | null;
  /** From this time a download answers 410; null for files kept until they are deleted. */
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
    source: { type: Object, default: null },
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

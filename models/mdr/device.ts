import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** A product of the company as the technical file agent knows it. What people told is kept, so that it asks once. */
export type DeviceRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** The name in lower case: one row for each. */
  key: string;
  name: string;
  /** Facts by their ids, each with the words that it was read from. */
  facts: Record<string, { value: string; words: string | null }>;
  /** The newest files that were made of it. */
  latest: {
    runId: Types.ObjectId;
    at: Date;
    eu: string | null;
    uk: string | null;
    software: string;
    /** Names of the files: the checklist, then the documentation. */
    files: string[];
    counts: { applies: number; not: number; open: number; withGap: number; toWrite: number };
  } | null;
  createdAt: Date;
  updatedAt: Date;
};

export const Device = entity<DeviceRow>({
  name: 'Device',
  collection: 'devices',
  scope: 'customer',
  fields: {
    key: String,
    name: String,
    facts: { type: Object, default: {} },
    latest: { type: Object, default: null },
    createdAt: { type: Date, default: Date.now },
    updatedAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, key: 1 }, { unique: true }], [{ accountId: 1, updatedAt: -1 }]],
});

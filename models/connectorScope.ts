import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

/**
 * What a company has chosen to be read from a connected tool; at most one per connector. Where the tool brings documents,
 * the row is also the work of reading them: `dueAt` is the time of the next reading.
 */
export type ConnectorScopeRow = WorkRow & {
  _id: Types.ObjectId;
  connector: string;
  /** By the connector's fields. */
  values: Record<string, string>;
  setBy: number;
  setAt: Date;
  /** Cursor to what changed in the documents since they were read completely; absent or null: all are listed. */
  mark?: string | null;
  /** failed: reading the documents was given up; dropped: and an administrator has seen to it. Absent or null: goes on. */
  readingStatus?: 'failed' | 'dropped' | null;
  /** Links to the drafts that were saved there, by their keys, the newest last. */
  saved?: { key: string; url: string }[];
};

export const ConnectorScope = entity<ConnectorScopeRow>({
  name: 'ConnectorScope',
  collection: 'connectorScopes',
  scope: 'customer',
  fields: {
    connector: String,
    values: Object,
    setBy: Number,
    setAt: Date,
    mark: { type: String, default: null },
    readingStatus: { type: String, default: null },
    saved: { type: [Object], default: [] },
    ...WORK_FIELDS,
  },
  indexes: [
    [{ accountId: 1, connector: 1 }, { unique: true }],
    [{ connector: 1, dueAt: 1 }],
    [{ readingStatus: 1 }, { partialFilterExpression: { readingStatus: 'failed' } }],
  ],
});

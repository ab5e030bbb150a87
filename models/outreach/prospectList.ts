import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** Drafts that were written from a list of people, one for each run that wrote some. It names nobody. */
export type ProspectListRow = {
  _id: Types.ObjectId;
  accountId: number;
  runId: Types.ObjectId;
  /** The subject of the first mail. */
  title: string;
  /** The name of the list. */
  sourceName: string;
  /** SHA-256 of the list’s bytes. */
  sourceDigest: string;
  /** Names of the files with what was approved: the workbook, then the CSV. Empty before. */
  files: string[];
  counts: { drafts: number; optedOut: number; leftOut: number; approved: number; rejected: number };
  /** `waiting` for the review, `decided` after it. */
  state: 'waiting' | 'decided';
  createdAt: Date;
};

export const ProspectList = entity<ProspectListRow>({
  name: 'ProspectList',
  collection: 'prospectLists',
  scope: 'customer',
  fields: {
    runId: 'ObjectId',
    title: String,
    sourceName: String,
    sourceDigest: String,
    files: { type: [String], default: [] },
    counts: Object,
    state: String,
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, runId: 1 }, { unique: true }], [{ accountId: 1, createdAt: -1 }]],
});

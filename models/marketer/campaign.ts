import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** Copy that was written from documents, one for each run that wrote some. */
export type CampaignRow = {
  _id: Types.ObjectId;
  accountId: number;
  runId: Types.ObjectId;
  /** The product’s name. */
  title: string;
  /** The name of the document that it was made of. */
  sourceName: string;
  /** SHA-256 of the source’s bytes. */
  sourceDigest: string;
  /** Names of the files: the Word document, then the text. The final ones replace the draft’s. */
  files: string[];
  counts: { written: number; flagged: number; medical: number; toFill: number };
  /** `waiting` for an approval, `final` after one; `draft` where there was none. */
  state: 'waiting' | 'final' | 'draft';
  createdAt: Date;
};

export const Campaign = entity<CampaignRow>({
  name: 'Campaign',
  collection: 'campaigns',
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

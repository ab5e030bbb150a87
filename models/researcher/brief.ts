import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** A brief over the company's documents, one for each run that wrote one. */
export type BriefRow = {
  _id: Types.ObjectId;
  accountId: number;
  runId: Types.ObjectId;
  question: string;
  fileName: string;
  counts: { quotes: number; documents: number; read: number; missing: number };
  createdAt: Date;
};

export const Brief = entity<BriefRow>({
  name: 'Brief',
  collection: 'briefs',
  scope: 'customer',
  fields: {
    runId: 'ObjectId',
    question: String,
    fileName: String,
    counts: Object,
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, runId: 1 }, { unique: true }], [{ accountId: 1, createdAt: -1 }]],
});

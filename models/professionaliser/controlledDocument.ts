import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** A document that was brought into controlled form, one for each run that wrote one. */
export type ControlledDocumentRow = {
  _id: Types.ObjectId;
  accountId: number;
  runId: Types.ObjectId;
  title: string;
  /** The name of the document that it was made of. */
  sourceName: string;
  /** SHA-256 of that document's bytes. */
  sourceDigest: string;
  /** Name of the written file. */
  fileName: string;
  counts: { changes: number; open: number; toFill: number };
  /** `waiting` for approval, `saved` among the company's documents, `not-saved` by a decision or for lack of a place. */
  state: 'waiting' | 'saved' | 'not-saved';
  createdAt: Date;
};

export const ControlledDocument = entity<ControlledDocumentRow>({
  name: 'ControlledDocument',
  collection: 'controlledDocuments',
  scope: 'customer',
  fields: {
    runId: 'ObjectId',
    title: String,
    sourceName: String,
    sourceDigest: String,
    fileName: String,
    counts: Object,
    state: String,
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, runId: 1 }, { unique: true }], [{ accountId: 1, createdAt: -1 }]],
});

import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** A procedure that was written from a description, one for each run that wrote one. */
export type ProcedureRow = {
  _id: Types.ObjectId;
  accountId: number;
  runId: Types.ObjectId;
  title: string;
  /** The name of the description that it was made of. */
  sourceName: string;
  /** SHA-256 of the description's bytes. */
  sourceDigest: string;
  /** Names of the files: the procedure, then the checklist with the risk register. */
  files: string[];
  counts: { steps: number; roles: number; risks: number; toFill: number };
  createdAt: Date;
};

export const Procedure = entity<ProcedureRow>({
  name: 'Procedure',
  collection: 'procedures',
  scope: 'customer',
  fields: {
    runId: 'ObjectId',
    title: String,
    sourceName: String,
    sourceDigest: String,
    files: { type: [String], default: [] },
    counts: Object,
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, runId: 1 }, { unique: true }], [{ accountId: 1, createdAt: -1 }]],
});

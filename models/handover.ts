import type { Types } from 'mongoose';
import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

/** A value that one process hands to another: encrypted in the row, or, where it is large, as bytes of a file. */
export type HandedValue = { sealed: Sealed } | { bytes: Types.ObjectId };

/** Something that a web process has a worker do within a call, e.g. reading an upload, and what came of it. */
export type HandoverRow = WorkRow & {
  _id: Types.ObjectId;
  dueAt: Date;
  attempts: number;
  /** Which task it is. */
  task: string;
  input: HandedValue;
  /** due: to be done; done: with its outcome; failed: it ended the process each time; cancelled: nobody waits for it. */
  status: 'due' | 'done' | 'failed' | 'cancelled';
  /** What came of it: the result, or the error; null until then, and where nobody waits. */
  outcome: HandedValue | null;
  /** Nobody waits for it after this time. */
  expiresAt: Date;
};

export const Handover = entity<HandoverRow>({
  name: 'Handover',
  collection: 'handovers',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    task: String,
    input: Object,
    status: String,
    outcome: { type: Object, default: null },
    expiresAt: Date,
    ...WORK_FIELDS,
  },
  indexes: [[{ status: 1, dueAt: 1 }], [{ expiresAt: 1 }, { expireAfterSeconds: 600 }]],
});

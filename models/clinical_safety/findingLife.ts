import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

type Person = { userId: number; name: string };

/** What people decided and said about a finding, over the analyses that found it. */
export type FindingLifeRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** The finding in each analysis: "<analysis id> <finding id>". */
  seenAs: string[];
  /** The analyses that it was looked for in. */
  analyses: number[];
  assignee: Person | null;
  /** Why it stays as it is. It holds while the log has the same value. */
  accepted: { reason: string; by: Person; at: Date; found: string | null; expected: string | null } | null;
  /** Grows with each change of assignee and acceptance. */
  version: number;
  /** The last change, while its audit row is not written. Absent in rows of earlier versions. */
  unrecorded?: {
    event: 'finding.assigned' | 'finding.accepted' | 'finding.reopened';
    outcome: string;
    userId: number;
    at: Date;
    version: number;
  } | null;
};

export const FindingLife = entity<FindingLifeRow>({
  name: 'FindingLife',
  collection: 'findingLives',
  scope: 'customer',
  fields: {
    seenAs: [String],
    analyses: [Number],
    assignee: { type: Object, default: null },
    accepted: { type: Object, default: null },
    version: { type: Number, default: 0 },
    unrecorded: { type: Object, default: null },
  },
  names: [
    { name: 'assignee.name', userId: 'assignee.userId' },
    { name: 'accepted.by.name', userId: 'accepted.by.userId' },
  ],
  indexes: [[{ accountId: 1, seenAs: 1 }, { unique: true }], [{ accountId: 1, analyses: 1 }]],
});

/** A comment on a finding. */
export type FindingCommentRow = {
  _id: Types.ObjectId;
  accountId: number;
  lifeId: Types.ObjectId;
  by: Person;
  text: string;
  at: Date;
};

export const FindingComment = entity<FindingCommentRow>({
  name: 'FindingComment',
  collection: 'findingComments',
  scope: 'customer',
  fields: { lifeId: 'ObjectId', by: Object, text: String, at: { type: Date, default: Date.now } },
  names: [{ name: 'by.name', userId: 'by.userId' }],
  indexes: [[{ accountId: 1, lifeId: 1, at: 1 }]],
});

import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** A person's latest decision whether a hazard covers a ticket, kept across analyses and versions of the log. */
export type TicketMatchRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** In capitals. */
  ticketKey: string;
  /** The hazard's id in capitals without spaces; the digest of its texts where the log gives no id. */
  hazardKey: string;
  /** As the log wrote it. */
  hazardId: string;
  covers: boolean;
  /** Digests of the texts that were judged: the decision holds while they are the same. */
  ticketDigest: string;
  hazardDigest: string;
  by: { userId: number | null; name: string };
  /** When the question was answered. A retry of an earlier answer never replaces a later one. */
  at: Date;
  /** The surface that it was answered on. */
  via: string;
  /** The question that was answered. */
  interruptId: number;
  /** Who took the decision back, and when: it no longer holds. */
  takenBack: { userId: number | null; name: string; at: Date } | null;
};

export const TicketMatch = entity<TicketMatchRow>({
  name: 'TicketMatch',
  collection: 'ticketMatches',
  scope: 'customer',
  fields: {
    ticketKey: String,
    hazardKey: String,
    hazardId: String,
    covers: Boolean,
    ticketDigest: String,
    hazardDigest: String,
    by: { type: Object, default: null },
    at: Date,
    via: String,
    interruptId: Number,
    takenBack: { type: Object, default: null },
  },
  names: [
    { name: 'by.name', userId: 'by.userId' },
    { name: 'takenBack.name', userId: 'takenBack.userId' },
  ],
  indexes: [[{ accountId: 1, ticketKey: 1, hazardKey: 1 }, { unique: true }]],
});

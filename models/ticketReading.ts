import { entity } from './store/entity.ts';

/**
 * How far the tickets of a tracker are read; at most one per connector. Each page is saved with the cursor to the next
 * one, so that a reading that was interrupted goes on.
 */
export type TicketReadingRow = {
  accountId: number;
  connector: string;
  /** Counts the readings; tickets carry the number of the reading that saw them last. */
  number: number;
  /** `idle` between readings; `tickets` and `keys` while one is under way. */
  phase: 'idle' | 'tickets' | 'keys';
  /** Only tickets changed since this time are read; null where all are. */
  since: Date | null;
  /** The tracker's cursor of the next page; null for the first. */
  cursor: string | null;
  /** Tickets of this reading so far, and how many there will be; null where the tracker does not count. */
  done: number;
  total: number | null;
  /** When this reading began, and when all tickets were last read. */
  begunAt: Date;
  allReadAt: Date | null;
  /** When the last complete reading began: what changed since is not read yet. Null before the first. */
  readAt: Date | null;
  /** Tickets after the last complete reading. */
  count: number;
  /** Who reads now, and until when nobody else does. */
  claim: { by: string; until: Date } | null;
};

export const TicketReading = entity<TicketReadingRow>({
  name: 'TicketReading',
  collection: 'ticketReadings',
  scope: 'customer',
  fields: {
    connector: String,
    number: { type: Number, default: 0 },
    phase: { type: String, default: 'idle' },
    since: { type: Date, default: null },
    cursor: { type: String, default: null },
    done: { type: Number, default: 0 },
    total: { type: Number, default: null },
    begunAt: { type: Date, default: () => new Date(0) },
    allReadAt: { type: Date, default: null },
    readAt: { type: Date, default: null },
    count: { type: Number, default: 0 },
    claim: { type: Object, default: null },
  },
  indexes: [[{ accountId: 1, connector: 1 }, { unique: true }]],
});

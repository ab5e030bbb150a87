import type { RetryPolicy } from './backOff.ts';
import type { Swept } from './dueTimers.ts';
import type { Entity } from './entity.ts';

/**
 * A claim on a row. Writes under it are refused once the row has another lease, or none. `until` instead of `id`: a lease
 * of a run as the release before writes it.
 */
type Lease = { owner: string; id?: string; until?: Date };

/**
 * The fields of a row that is work. The row itself is the work: nothing is queued beside it. They may be absent in rows
 * of a kind that was no such work in the release before: both releases run beside each other for a while.
 */
export type WorkRow = {
  _id: unknown;
  accountId: number;
  /** Not claimed before this time. A claim moves it to the end of its lease. */
  dueAt?: Date;
  /** Absent or null while nobody works on it. */
  lease?: Lease | null;
  /** Failed attempts. */
  attempts?: number;
  /** How often a sweep claimed it without an outcome, i.e. the process died; reset by any outcome. */
  begun?: number;
  /** The last error. */
  error?: string | null;
};

export type Filter = Record<string, unknown>;

/** One kind of work. */
export type WorkKind<Row extends WorkRow> = {
  name: Swept;
  rows: Entity<Row>;
  /** Rows that have something to do. */
  open: Filter;
  /** Fields that say what a row has to do, as it was read: when they change, a claim or an outcome of before is refused. */
  asRead(row: Row): Filter;
  /** Rows that were given up, and, without `giveUp`, the fields that make a row one of them. */
  dead: Filter;
  /** The change that makes a row one of those, where that depends on the row. */
  giveUp?(row: Row): Filter;
  /** Rows that are due; by default those whose `dueAt` has come. */
  due?(now: Date): Filter;
  /** The fields of a row that was given up and that an administrator dropped. */
  dropped: Filter;
  /** The order in which due rows are begun; by default that of their ids. */
  order?: Record<string, 1 | -1>;
  /** Most urgent first: what a person waits for, then the rest. Each row matches one. */
  lanes: readonly Filter[];
  /** Fields that a claim counts up, and that have to be as they were read for it; by default those of a sweep: `begun`. */
  counted?: readonly (keyof Row & string)[];
  /** How often a claimed row was begun before without an outcome; by default the claims of sweeps that `begun` counts. */
  startsOf?(row: Row): number;
  /** Rows that somebody has cancelled and that their holder has to end: its signal is aborted at the next renewal. */
  cancelled?: Filter;
  /** Work that may take minutes: a sweep does not wait for its end. */
  isLong?: boolean;
  /** Milliseconds for which others leave a claimed row alone, times PATIENCE_FACTOR; renewed while it is worked on. */
  leaseMs: number;
  retry: RetryPolicy;
  /** Rows that sweeps of one process work on at once. */
  atOnce: number;
  /** Rows with the same text are worked on one after the other, oldest first; null: in any order. */
  groupOf(row: Row): string | null;
};

/** What a sweep does with the rows that it has claimed. */
export type WorkHandlers<Row extends WorkRow> = {
  /** Works on a claimed row until it has an outcome. */
  handle(row: Row): Promise<unknown>;
} & (
  | {
      /** Tells people that a claimed row is given up because it ended the process on every attempt. */
      tellSetAside(row: Row): Promise<void>;
    }
  | {
      /** Gives up the part of a claimed row that ended the process on every attempt, and works on the rest. */
      setAsidePart(row: Row): Promise<void>;
    }
);

/** The fields of {@link WorkRow} in an entity. */
export const WORK_FIELDS = {
  dueAt: { type: Date, default: Date.now },
  lease: { type: Object, default: null },
  attempts: { type: Number, default: 0 },
  begun: { type: Number, default: 0 },
  error: { type: String, default: null },
};

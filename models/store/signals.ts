import { Types } from 'mongoose';
import { runInBackground } from '../background.ts';
import type { Topic } from '../contracts/realtime.ts';
import { env } from '../env.ts';
import { logger } from '../logger.ts';
import { cancelledElsewhere, woken } from './carriesOn.ts';
import { connectedDatabase } from './client.ts';
import { type Swept, sweepNow } from './dueTimers.ts';
import { entity } from './entity.ts';
import { announce, announceAll, changes } from './revisions.ts';

/** `seq` is absent in rows of earlier versions, which are not read. `at` is for removing rows, never for their order. */
type CancelledRow = { kind: Swept; row: string };
type SignalRow = {
  _id: Types.ObjectId;
  seq: number;
  from: string;
  accountId: number;
  topics: Topic[];
  /** Kinds of work that are due for workers; absent in rows of earlier versions. */
  wake?: Swept[];
  /** Rows that were cancelled, for the processes that work on them; absent in rows of earlier versions. */
  cancelled?: CancelledRow[];
  at: Date;
};

const Signal = entity<SignalRow>({
  name: 'Signal',
  collection: 'signals',
  scope: 'system',
  fields: {
    _id: 'ObjectId',
    seq: Number,
    from: String,
    accountId: Number,
    topics: [String],
    wake: { type: [String], default: undefined },
    cancelled: { type: [Object], default: undefined },
    at: Date,
  },
  indexes: [[{ at: 1 }, { expireAfterSeconds: 60 }], [{ seq: 1 }]],
});

/** A worker begins what a web process has stored within this time, and a web process shows it. */
const POLL_MS = { all: 500, web: 100, worker: 25 }[env.ROLE];
/** Rows read at once. */
const BATCH = 5000;
/** A number that nobody has written after this time was lost with its process. */
const LOST_AFTER_MS = 5000;

/** The account of a signal that is for workers only. */
const NO_ACCOUNT = 0;

const counters = () => connectedDatabase().collection<{ _id: string; seq: number }>('counters');
const COUNTER = 'signal';

/** Takes numbers in a row. @returns the last of them */
async function takeNumbers(count: number): Promise<number> {
  const row = await counters().findOneAndUpdate(
    { _id: COUNTER },
    { $inc: { seq: count } },
    { upsert: true, returnDocument: 'after' },
  );
  return row?.seq ?? count;
}

/**
 * Publishes this process's changes to other processes. Only needed where another process serves people. What changes
 * while a write is on its way is written together, once per account.
 * @param from a name for this process
 * @returns a function that stops it, once everything is written
 */
export function publishSignals(from: string): () => Promise<void> {
  let waiting = new Map<number, Set<Topic>>();
  let wake = new Set<Swept>();
  let cancelled: CancelledRow[] = [];
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (waiting.size + wake.size + cancelled.length > 0) {
      const batch: Pick<SignalRow, 'accountId' | 'topics' | 'wake' | 'cancelled'>[] = [...waiting].map(
        ([accountId, topics]) => ({
          accountId,
          topics: [...topics],
        }),
      );
      if (wake.size + cancelled.length > 0)
        batch.unshift({ accountId: NO_ACCOUNT, topics: [], wake: [...wake], cancelled });
      waiting = new Map();
      wake = new Set();
      cancelled = [];
      try {
        const last = await takeNumbers(batch.length);
        const first = last - batch.length + 1;
        const rows = batch.map((it, at) => ({
          ...{ _id: new Types.ObjectId(), seq: first + at, from },
          ...it,
          at: new Date(),
        }));
        await Signal.collection.insertMany(rows as never[], { ordered: false });
      } catch (error) {
        // The numbers that were taken stay empty: readers see that, and read everything again.
        logger.warn({ err: error }, 'signals not written');
      }
    }
    writing = null;
  };
  const publish = (accountId: number, topics: Topic[], own = true) => {
    if (!own) return;
    const before = waiting.get(accountId) ?? new Set();
    waiting.set(accountId, new Set([...before, ...topics]));
    writing ??= Promise.resolve().then(write);
  };
  const publishWake = (kind: Swept) => {
    wake.add(kind);
    writing ??= Promise.resolve().then(write);
  };
  const publishCancelled = (kind: Swept, row: string) => {
    cancelled.push({ kind, row });
    writing ??= Promise.resolve().then(write);
  };
  woken.on('wake', publishWake);
  woken.on('cancelled', publishCancelled);
  changes.on('changed', publish);
  changes.on('pushed', publish);
  return async () => {
    woken.off('wake', publishWake);
    woken.off('cancelled', publishCancelled);
    changes.off('changed', publish);
    changes.off('pushed', publish);
    await writing;
  };
}

/**
 * Polls other processes' changes twice a second: servers that share one MongoDB, and commands. They are ordered by
 * numbers of the store, because clocks of machines differ. Where a number is missing, because its writer ended or this
 * process slept for longer than signals are kept, everything counts as changed.
 * @param from the name under which this process publishes; its own signals are skipped
 * @returns a function that stops it
 */
export function readSignals(from: string): () => void {
  /** All numbers up to this one are dealt with; null before the first read. */
  let last: number | null = null;
  /** Numbers beyond a missing one that are dealt with. */
  const ahead = new Set<number>();
  /** The lowest missing number, and since when it is. */
  let missing: { seq: number; since: number } | null = null;

  const deal = (rows: readonly SignalRow[], reached: number): number => {
    const changed = new Map<number, Set<Topic>>();
    const due = new Set<Swept>();
    for (const row of rows) {
      if (ahead.has(row.seq)) continue;
      ahead.add(row.seq);
      for (const kind of row.wake ?? []) due.add(kind);
      for (const it of row.cancelled ?? []) cancelledElsewhere.emit(it.kind, it.row);
      if (row.from !== from && row.topics.length > 0)
        changed.set(row.accountId, new Set([...(changed.get(row.accountId) ?? []), ...row.topics]));
    }
    for (const kind of due) sweepNow(kind);
    for (const [accountId, topics] of changed) announce(accountId, [...topics], false);
    let upTo = reached;
    while (ahead.delete(upTo + 1)) upTo += 1;
    return upTo;
  };
  const skipLost = (reached: number): number => {
    if (ahead.size === 0) {
      missing = null;
      return reached;
    }
    const now = performance.now();
    if (missing?.seq !== reached + 1) missing = { seq: reached + 1, since: now };
    if (now - missing.since < LOST_AFTER_MS) return reached;
    const highest = Math.max(...ahead);
    logger.warn({ after: reached, until: highest }, 'signals of another process were lost: everything is read again');
    ahead.clear();
    missing = null;
    announceAll();
    return highest;
  };
  const read = async () => {
    try {
      last ??= (await counters().findOne({ _id: COUNTER }))?.seq ?? 0;
      for (let after = last, count = BATCH; count === BATCH; ) {
        const rows = await Signal.find({ seq: { $gt: after } })
          .sort({ seq: 1 })
          .limit(BATCH)
          .lean();
        last = deal(rows, last);
        count = rows.length;
        after = rows.at(-1)?.seq ?? after;
      }
      last = skipLost(last);
    } catch (error) {
      logger.warn({ err: error }, 'signals not read');
    }
  };
  // One after the other: of two reads at once, both would announce the same.
  let reading = Promise.resolve();
  let isNextDue = false;
  const readNext = () => {
    if (isNextDue) return reading;
    isNextDue = true;
    reading = reading.then(() => {
      isNextDue = false;
      return read();
    });
    return reading;
  };
  // A read fails without an error of its own.
  runInBackground('reading signals', readNext());
  const timer = setInterval(readNext, POLL_MS).unref();
  return () => clearInterval(timer);
}

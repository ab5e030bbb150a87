import { type Collection, docKey, prefix, recordOf } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import { type Condition, Raw } from '../filter/path.ts';
import type { Engine, Range, Table } from '../storage/engine.ts';
import type { Turn } from '../turn.ts';
import type { Plan } from './choose.ts';

const FIRST_CHUNK = 32;
const CHUNK = 1024;
const ZERO: Buffer = Buffer.from([0]);

/**
 * The record numbers in a range of keys, read a chunk at a time. Nothing is held open between chunks: reading goes on
 * from the last key, so that a cursor that waits for its client never keeps old pages from being reused.
 */
function* recordsIn(table: Table, range: Range, reverse: boolean): Iterable<number> {
  let { start, end } = range;
  for (let size = FIRST_CHUNK, last = ZERO; ; size = CHUNK) {
    const keys = table.keys({ start, end, limit: size, reverse });
    // Backwards the range begins with its upper end, which was read already.
    for (const key of keys) if (!reverse || !key.equals(last)) yield recordOf(key);
    if (keys.length < size) return;
    last = keys.at(-1)!;
    if (reverse) end = last;
    else start = Buffer.concat([last, ZERO]);
  }
}

/** The records that a plan leads to, each once, before the filter. */
function* recordsOf({ docs, entries }: Engine, { number }: Collection, { uses, reverse }: Plan): Iterable<number> {
  if (uses.length === 0) {
    yield* recordsIn(docs, { start: prefix(number), end: prefix(number + 1) }, reverse);
    return;
  }
  const ranges = uses.flatMap((use) => use.ranges);
  const repeats = uses.length > 1 || uses[0]!.index.multikey;
  const seen = new Set<number>();
  for (const range of reverse ? ranges.reverse() : ranges) {
    for (const record of recordsIn(entries, range, reverse)) {
      if (repeats && seen.has(record)) continue;
      if (repeats) seen.add(record);
      yield record;
    }
  }
}

/** What stands for a record number at the end, and where the turn is over: what is asked next goes on from there. */
export const END = -1;
export const PAUSED = -2;

/** Matching records one by one, END, or PAUSED; `bytes` of the last until the next read; how many were looked at. */
export type Found = { next(): number; bytes: Buffer; examined: number };

/** Fails with code 50 when a time, as performance.now() tells it, has passed. */
export function checkTime(until?: number): void {
  if (until !== undefined && performance.now() > until) fail('MaxTimeMSExpired', 'operation exceeded time limit');
}

/** When a scan is given up, and the turn that it pauses at the end of. */
type Bounds = { until?: number; turn?: Turn };

/** Finds the records that a plan leads to and a condition lets through. Fails with code 50 when `until` has passed. */
export function scan(engine: Engine, collection: Collection, plan: Plan, condition: Condition, bounds: Bounds): Found {
  const { until, turn } = bounds;
  const records = recordsOf(engine, collection, plan)[Symbol.iterator]();
  const key = docKey(collection.number, 0);
  const next = (): number => {
    for (;;) {
      if (turn?.isOver()) return PAUSED;
      const item = records.next();
      if (item.done) return END;
      key.writeUIntBE(item.value, 4, 6);
      const bytes = engine.docs.peek(key);
      if (!bytes) {
        // Removed since its key was read; in a damaged file it may be that the document has lost its key.
        if (engine.damages.length > 0) engine.damaged(collection.number);
        continue;
      }
      found.examined++;
      checkTime(until);
      if (!condition(new Raw(bytes))) continue;
      found.bytes = bytes;
      return item.value;
    }
  };
  const found: Found = { next, bytes: ZERO, examined: 0 };
  return found;
}

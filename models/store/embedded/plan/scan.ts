import { type Collection, docKey, prefix, recordOf } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import type { Condition } from '../filter/condition.ts';
import { raw } from '../filter/path.ts';
import type { Engine, Table } from '../storage/engine.ts';
import type { KeyRange, Plan } from './choose.ts';

const FIRST_CHUNK = 32;
const CHUNK = 1024;
const ZERO = Buffer.from([0]);

/**
 * Reads the record numbers in a key range, a chunk at a time. Nothing is held open between chunks: reading goes on
 * from the last key, so that a cursor that waits for its client never keeps old pages from being reused.
 */
export class RangeReader {
  private readonly table: Table;
  private readonly reverse: boolean;
  private start: Buffer;
  private end: Buffer;
  private keys: Buffer[] = [];
  private at = 0;
  private size = FIRST_CHUNK;
  private done = false;

  constructor(table: Table, range: KeyRange, reverse: boolean) {
    this.table = table;
    this.start = range.start;
    this.end = range.end;
    this.reverse = reverse;
  }

  /** The next record number, or -1 at the end. */
  next(): number {
    if (this.at === this.keys.length && !this.fill()) return -1;
    return recordOf(this.keys[this.at++]!);
  }

  private fill(): boolean {
    if (this.done) return false;
    this.keys = this.table.keys({ start: this.start, end: this.end, limit: this.size, reverse: this.reverse });
    this.at = 0;
    this.done = this.keys.length < this.size;
    this.size = CHUNK;
    const last = this.keys.at(-1);
    if (!last) return false;
    if (this.reverse) {
      this.end = last;
      // Backwards the range begins with its upper end, which was read already.
      if (this.keys[0]!.equals(this.skip)) this.at = 1;
      this.skip = last;
    } else this.start = Buffer.concat([last, ZERO]);
    return this.at < this.keys.length || this.fill();
  }

  private skip: Buffer = ZERO;
}

/** The records that a plan leads to, each once, before the filter. */
export class RecordReader {
  private readonly readers: RangeReader[];
  private readonly seen: Set<number> | undefined;
  private at = 0;

  constructor(engine: Engine, collection: Collection, plan: Plan) {
    const indexReaders = (ranges: KeyRange[], reverse: boolean) =>
      (reverse ? [...ranges].reverse() : ranges).map((range) => new RangeReader(engine.entries, range, reverse));
    if (plan.kind === 'all') {
      const range = { start: prefix(collection.number), end: prefix(collection.number + 1) };
      this.readers = [new RangeReader(engine.docs, range, plan.reverse)];
    } else if (plan.kind === 'index') {
      this.readers = indexReaders(plan.ranges, plan.reverse);
    } else {
      this.readers = plan.plans.flatMap((item) => indexReaders(item.ranges, false));
    }
    const repeats = plan.kind === 'union' || (plan.kind === 'index' && plan.index.multikey);
    this.seen = repeats ? new Set() : undefined;
  }

  /** The next record number, or -1 at the end. */
  next(): number {
    while (this.at < this.readers.length) {
      const record = this.readers[this.at]!.next();
      if (record < 0) {
        this.at++;
        continue;
      }
      if (this.seen) {
        if (this.seen.has(record)) continue;
        this.seen.add(record);
      }
      return record;
    }
    return -1;
  }
}

/** Finds matching records one by one; `bytes` then holds the raw document until the next read. */
export class Scan {
  bytes: Buffer = ZERO;
  /** Documents looked at so far. */
  examined = 0;
  private readonly engine: Engine;
  private readonly reader: RecordReader;
  private readonly condition: Condition;
  private readonly until: number;
  private readonly key: Buffer;

  constructor(
    engine: Engine,
    collection: Collection,
    plan: Plan,
    condition: Condition,
    until = Number.POSITIVE_INFINITY,
  ) {
    this.engine = engine;
    this.until = until;
    this.reader = new RecordReader(engine, collection, plan);
    this.condition = condition;
    this.key = docKey(collection.number, 0);
  }

  next(): number {
    for (;;) {
      const record = this.reader.next();
      if (record < 0) return -1;
      this.key.writeUIntBE(record, 4, 6);
      const bytes = this.engine.docs.peek(this.key);
      // Gone since its key was read.
      if (!bytes) continue;
      // Looked at now and then: the time of day costs as much as a document.
      if ((++this.examined & 255) === 0 && performance.now() > this.until)
        fail('MaxTimeMSExpired', 'operation exceeded time limit');
      if (this.condition(raw(bytes))) {
        this.bytes = bytes;
        return record;
      }
    }
  }

  /** A copy of the document found last. */
  copy(): Buffer {
    const size = this.bytes.readInt32LE(0);
    const out = Buffer.allocUnsafe(size);
    out.set(this.bytes.subarray(0, size));
    return out;
  }
}

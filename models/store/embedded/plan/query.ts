import { type Collator, compare } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import { docKey } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import type { Condition } from '../filter/condition.ts';
import { raw } from '../filter/path.ts';
import { type KeyField, rawReader, sortKey, sortValues } from '../keys/document.ts';
import type { Engine } from '../storage/engine.ts';
import { choosePlan, type Plan } from './choose.ts';
import { Scan } from './scan.ts';

/** What is looked for in a collection, in which order, and which part of it. */
export type Query = {
  filter: Doc;
  condition: Condition;
  sort?: KeyField[];
  skip?: number;
  /** 0 or undefined: no limit. */
  limit?: number;
  hint?: Value;
  collator?: Collator;
  /** The time, as performance.now() tells it, when the search is given up (code 50). */
  until?: number;
};

/** A sort in memory may keep this many bytes of keys. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Matching records one by one; `bytes` of the last is valid until the next read. */
export type Found = {
  next(): number;
  copy(): Buffer;
  /** Documents looked at so far. */
  readonly examined: number;
};

export function planOf(collection: Collection, query: Query): Plan {
  return choosePlan(collection, {
    filter: query.filter,
    sort: query.sort,
    hint: query.hint,
    collated: query.collator !== undefined,
  });
}

/** Runs a query: sorted by an index where one has the order, else in memory by keys and record numbers only. */
export function runQuery(engine: Engine, collection: Collection, query: Query): Found {
  const plan = planOf(collection, query);
  const scan = new Scan(engine, collection, plan, query.condition, query.until);
  const found: Found = query.sort && !plan.sorted ? sorted(engine, collection, scan, query) : scan;
  return windowed(found, query.skip ?? 0, query.limit ?? 0);
}

function windowed(found: Found, skip: number, limit: number): Found {
  if (skip === 0 && limit === 0) return found;
  let toSkip = skip;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  return {
    next() {
      if (left <= 0) return -1;
      for (; toSkip > 0; toSkip--) if (found.next() < 0) return -1;
      left--;
      return found.next();
    },
    copy: () => found.copy(),
    get examined() {
      return found.examined;
    },
  };
}

type Entry<K> = { key: K; record: number };

/** Keeps the entries that may be among the first `most`, in order at the end. */
function ordered<K>(
  scan: Scan,
  keyOf: () => { key: K; size: number },
  by: (a: K, b: K) => number,
  most: number,
): Entry<K>[] {
  const order = (a: Entry<K>, b: Entry<K>) => by(a.key, b.key) || a.record - b.record;
  let entries: Entry<K>[] = [];
  let size = 0;
  for (let record = scan.next(); record >= 0; record = scan.next()) {
    const made = keyOf();
    entries.push({ key: made.key, record });
    size += made.size;
    if (entries.length > most * 2 + 1000) {
      entries.sort(order);
      entries = entries.slice(0, most);
      size = 0;
    }
    if (size > MAX_SORT_BYTES)
      fail(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        'Executor error during find command :: caused by :: Sort exceeded memory limit of 104857600 bytes, but did not opt in to external sorting.',
      );
  }
  return entries.sort(order);
}

function sorted(engine: Engine, collection: Collection, scan: Scan, query: Query): Found {
  const sort = query.sort!;
  const most = query.limit ? query.limit + (query.skip ?? 0) : Number.POSITIVE_INFINITY;
  const { collator } = query;
  let entries: Entry<unknown>[];
  if (collator) {
    const by = (a: Value, b: Value) => compare(a, b, collator);
    const order = (a: Value[], b: Value[]) => {
      for (let i = 0; i < sort.length; i++) {
        const result = by(a[i], b[i]) * sort[i]!.direction;
        if (result !== 0) return result;
      }
      return 0;
    };
    entries = ordered(scan, () => ({ key: sortValues(rawReader(scan.bytes), sort, by), size: 100 }), order, most);
  } else {
    const keyOf = () => {
      const key = sortKey(rawReader(scan.bytes), sort);
      return { key, size: key.length + 32 };
    };
    entries = ordered(scan, keyOf, (a, b) => a.compare(b), most);
  }
  return fromEntries(engine, collection, entries, query.condition, scan.examined);
}

function fromEntries(
  engine: Engine,
  collection: Collection,
  entries: Entry<unknown>[],
  condition: Condition,
  examined: number,
): Found {
  let at = 0;
  let bytes: Buffer | undefined;
  return {
    examined,
    next() {
      while (at < entries.length) {
        const { record } = entries[at++]!;
        bytes = engine.docs.peek(docKey(collection.number, record));
        if (bytes && condition(raw(bytes))) return record;
      }
      return -1;
    },
    copy() {
      const size = bytes!.readInt32LE(0);
      return Buffer.from(bytes!.subarray(0, size));
    },
  };
}

/** Counts matches without copying any of them. */
export function countMatches(engine: Engine, collection: Collection, query: Query): number {
  if (query.filter.size === 0 && !query.hint) {
    const rest = Math.max(0, collection.count - (query.skip ?? 0));
    return query.limit ? Math.min(rest, query.limit) : rest;
  }
  const found = runQuery(engine, collection, query);
  let count = 0;
  while (found.next() >= 0) count++;
  return count;
}

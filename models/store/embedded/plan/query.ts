import { type Collator, compare } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';
import { type Collection, docKey } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import type { Condition } from '../filter/path.ts';
import { Raw } from '../filter/path.ts';
import { type KeyField, rawReader, sortKey, sortValues } from '../keys/document.ts';
import { orderOf } from '../sort.ts';
import type { Engine } from '../storage/engine.ts';
import { choosePlan, type Plan } from './choose.ts';
import { type Found, scan } from './scan.ts';

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

export const planOf = (collection: Collection, { filter, sort, hint, collator }: Query): Plan =>
  choosePlan(collection, { filter, sort, hint, collated: collator !== undefined });

/** Runs a query: sorted by an index where one has the order, else in memory by keys and record numbers only. */
export function runQuery(engine: Engine, collection: Collection, query: Query): Found {
  const plan = planOf(collection, query);
  const found = scan(engine, collection, plan, query.condition, query.until);
  return windowed(query.sort && !plan.sorted ? sorted(engine, collection, found, query, query.sort) : found, query);
}

/** The document that was found last, as a buffer of its own. */
export function documentOf({ bytes }: Found): Buffer {
  const out = Buffer.allocUnsafe(bytes.readInt32LE(0));
  out.set(bytes.subarray(0, out.length));
  return out;
}

/** What is found, from `skip` on and up to `limit` of it. */
function windowed(found: Found, { skip = 0, limit = 0 }: Query): Found {
  const { next } = found;
  let toSkip = skip;
  let left = limit || Number.POSITIVE_INFINITY;
  found.next = () => {
    if (left-- <= 0) return -1;
    for (; toSkip > 0; toSkip--) if (next() < 0) return -1;
    return next();
  };
  return found;
}

type Entry<K> = { key: K; record: number };

/** The entries of all that is found, in order; only those that may be among the first `most` are kept meanwhile. */
function ordered<K>(found: Found, keyOf: () => K, by: (a: K, b: K) => number, most: number): Entry<K>[] {
  const order = (a: Entry<K>, b: Entry<K>) => by(a.key, b.key) || a.record - b.record;
  let entries: Entry<K>[] = [];
  let size = 0;
  for (let record = found.next(); record >= 0; record = found.next()) {
    const key = keyOf();
    entries.push({ key, record });
    size += Buffer.isBuffer(key) ? key.length + 32 : 100;
    if (entries.length > most * 2 + 1000) {
      entries = entries.sort(order).slice(0, most);
      size = 0;
    }
    if (size > MAX_SORT_BYTES)
      fail('QueryExceededMemoryLimitNoDiskUseAllowed', `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`);
  }
  return entries.sort(order);
}

function sorted(engine: Engine, collection: Collection, found: Found, query: Query, sort: KeyField[]): Found {
  const most = query.limit ? query.limit + (query.skip ?? 0) : Number.POSITIVE_INFINITY;
  const { collator } = query;
  const by = (a: Value, b: Value) => compare(a, b, collator);
  const entries: Entry<unknown>[] = collator
    ? ordered(found, () => sortValues(rawReader(found.bytes), sort, by), orderOf(sort, by), most)
    : ordered(found, () => sortKey(rawReader(found.bytes), sort), Buffer.compare, most);
  let at = 0;
  const next = (): number => {
    for (let entry = entries[at++]; entry; entry = entries[at++]) {
      const bytes = engine.docs.peek(docKey(collection.number, entry.record));
      if (!bytes || !query.condition(new Raw(bytes))) continue;
      found.bytes = bytes;
      return entry.record;
    }
    return -1;
  };
  return Object.assign(found, { next });
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

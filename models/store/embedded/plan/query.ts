import { type Collection, docKey } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import { type Condition, Raw } from '../filter/path.ts';
import { type Sorting, sortBy } from '../sort.ts';
import type { Engine } from '../storage/engine.ts';
import { sortInTurns, Turn } from '../turn.ts';
import { choosePlan, type Request } from './choose.ts';
import { END, type Found, PAUSED, scan } from './scan.ts';

/** A query on a collection, with the part of the result to return. */
export type Query = Request & {
  condition: Condition;
  skip?: number;
  /** 0 or undefined: no limit. */
  limit?: number;
  /** The time by performance.now() at which the search is given up (code 50). */
  until?: number;
};

/** A sort in memory may keep this many bytes of keys. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Runs a query: sorted by an index where one has the order, else in memory. It pauses where its turn is over. */
export function runQuery(engine: Engine, collection: Collection, query: Query, turn?: Turn): Found {
  const { condition, sort, until } = query;
  const plan = choosePlan(collection, query);
  const found = scan(engine, collection, plan, condition, { until, turn });
  if (!sort || plan.sorted) return windowed(found, query);
  return windowed(sorted(engine, collection, found, query, sortBy(sort), turn), query);
}

/** The document that was found last, as a buffer of its own. */
export function documentOf({ bytes }: Found): Buffer {
  const out = Buffer.allocUnsafe(bytes.readInt32LE(0));
  out.set(bytes.subarray(0, out.length));
  return out;
}

/** The documents found, from `skip` on, at most `limit`. */
function windowed(found: Found, { skip = 0, limit = 0 }: Query): Found {
  const { next } = found;
  let toSkip = skip;
  let left = limit || Number.POSITIVE_INFINITY;
  found.next = () => {
    while (left > 0) {
      const record = next();
      if (record < 0) return record;
      if (toSkip > 0) toSkip--;
      else {
        left--;
        return record;
      }
    }
    return END;
  };
  return found;
}

type Entry = { key: Buffer[]; record: number };

/** What is found, in order: keys and record numbers are kept, and only of those that may be among the wanted. */
function sorted(
  engine: Engine,
  { number }: Collection,
  found: Found,
  query: Query,
  sorting: Sorting,
  turn?: Turn,
): Found {
  const { condition, skip = 0, limit } = query;
  const { next } = found;
  const most = limit ? limit + skip : Number.POSITIVE_INFINITY;
  const order = (a: Entry, b: Entry) => sorting.order(a.key, b.key) || a.record - b.record;
  function* inOrder(): Iterable<number> {
    let entries: Entry[] = [];
    let size = 0;
    for (let record = next(); record !== END; record = next()) {
      if (record === PAUSED) {
        yield PAUSED;
        continue;
      }
      const key = sorting.keyOf(new Raw(found.bytes));
      entries.push({ key, record });
      size += key.reduce((sum, part) => sum + part.length, 32);
      if (entries.length > most * 2 + 1000) {
        entries = entries.sort(order).slice(0, most);
        size = 0;
      }
      if (size > MAX_SORT_BYTES)
        fail('QueryExceededMemoryLimitNoDiskUseAllowed', `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`);
    }
    const sorts = sortInTurns(entries, order, turn);
    let step = sorts.next();
    for (; !step.done; step = sorts.next()) yield PAUSED;
    for (const entry of step.value) {
      if (turn?.isOver()) yield PAUSED;
      const bytes = engine.docs.peek(docKey(number, entry.record));
      if (!bytes || !condition(new Raw(bytes))) continue;
      found.bytes = bytes;
      yield entry.record;
    }
  }
  const records = inOrder()[Symbol.iterator]();
  found.next = () => {
    const item = records.next();
    return item.done ? END : item.value;
  };
  return found;
}

/** Visits what a query finds, in as many turns as it takes. `bytes` of what was found hold until the visit ends. */
export async function visitFound(
  engine: Engine,
  collection: Collection,
  query: Query,
  visit: (record: number, found: Found) => void,
): Promise<Found> {
  const turn = new Turn();
  const found = runQuery(engine, collection, query, turn);
  for (let record = found.next(); record !== END; record = found.next()) {
    if (record === PAUSED) await turn.next();
    else visit(record, found);
  }
  return found;
}

/** Counts matches without copying any of them. */
export async function countMatches(engine: Engine, collection: Collection, query: Query): Promise<number> {
  if (query.filter.size === 0 && !query.hint) {
    const rest = Math.max(0, collection.count - (query.skip ?? 0));
    return query.limit ? Math.min(rest, query.limit) : rest;
  }
  let count = 0;
  await visitFound(engine, collection, query, () => count++);
  return count;
}

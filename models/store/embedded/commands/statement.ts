import { readDoc } from '../bson/read.ts';
import { type Doc, toNumber, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { type Collection, docKey } from '../catalogue/collection.ts';
import { prepare } from '../catalogue/records.ts';
import { fail } from '../errors.ts';
import { Raw } from '../filter/path.ts';
import { type Query, runQuery } from '../plan/query.ts';
import { checkTime } from '../plan/scan.ts';
import { compileUpdate, isReplacement } from '../update/compile.ts';
import { upsertBase } from '../update/upsert.ts';
import { docOf } from './arguments.ts';
import type { Store } from './context.ts';
import { queryOf } from './find.ts';

/**
 * One statement of an update or a delete, compiled. `change` makes of a document, or of none for an upsert, the one to be
 * stored; without it what is found is removed.
 */
export type Statement = { ns: string; query: Query; change?: (before?: Doc) => Buffer; upsert?: boolean };

/** Compiles one statement from its fields. */
type Compile = (ns: string, raw: Doc) => Statement;

/** Compiles {q, u, multi, upsert, hint, sort}. */
const updateStatement: Compile = (ns, raw) => {
  const filter = docOf(raw.get('q'));
  const replaces = isReplacement(raw.get('u'));
  const multi = truthy(raw.get('multi'));
  if (replaces && multi) fail('FailedToParse', 'multi update is not supported for replacement-style update');
  const query = { ...queryOf(raw, filter), limit: multi ? 0 : 1 };
  const update = compileUpdate(raw.get('u'));
  /** An upsert begins with the equalities of its query, of which a replacement takes the `_id` alone. */
  const base = () => new Map([...upsertBase(filter)].filter(([name]) => !replaces || name === '_id'));
  const now = new Date();
  const change = (before?: Doc) => prepare(writeDoc(update(before ?? base(), { inserting: !before, now })));
  return { ns, query, change, upsert: truthy(raw.get('upsert')) };
};

/** Compiles {q, limit, hint}. */
const deleteStatement: Compile = (ns, raw) => {
  const limit = toNumber(raw.get('limit'));
  if (limit !== 0 && limit !== 1)
    fail('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${String(raw.get('limit'))}`);
  return { ns, query: queryOf(raw, docOf(raw.get('q'))) };
};

/** What compiles the statements of each kind. */
export const COMPILE = { update: updateStatement, delete: deleteStatement };

/**
 * The result of a statement: counts, the last changed or removed document before and after, and the records left for
 * further transactions.
 */
export type Written = {
  n: number;
  nModified: number;
  upserted?: Value;
  before?: Buffer;
  after?: Buffer;
  left?: number[];
};

/**
 * Runs a statement inside a write transaction, on up to `most` documents. Given the records left by an earlier
 * transaction, it continues with those that still match.
 */
export function runStatement(store: Store, statement: Statement, most?: number, left?: number[]): Written {
  const { ns, query, change, upsert } = statement;
  const { records } = store.catalogue;
  const collection = store.catalogue.find(ns);
  const written: Written = { n: 0, nModified: 0 };
  // All records are listed before the first one changes, so that none is found again where its change moved it.
  const found = collection ? (left ?? allRecords(store, collection, query)) : [];
  if (most && found.length > most) written.left = found.slice(most);
  for (const record of found.slice(0, most)) {
    const bytes = store.engine.docs.get(docKey(collection!.number, record));
    if (!bytes || (left && !query.condition(new Raw(bytes)))) continue;
    checkTime(query.until);
    written.n++;
    written.before = bytes;
    written.after = change?.(readDoc(bytes));
    if (!written.after) records.remove(collection!, record, bytes);
    else if (!bytes.equals(written.after)) {
      records.replace(collection!, record, bytes, written.after);
      written.nModified++;
    }
  }
  if (written.n === 0 && change && upsert && !left) {
    written.after = change();
    records.insert(store.catalogue.ensure(ns), written.after);
    written.n = 1;
    written.upserted = readDoc(written.after).get('_id');
  }
  return written;
}

function allRecords(store: Store, collection: Collection, query: Query): number[] {
  const found = runQuery(store.engine, collection, query);
  const records: number[] = [];
  for (let record = found.next(); record >= 0; record = found.next()) records.push(record);
  return records;
}

/** Whether a statement might write something, read outside of any transaction: if not, none is opened for it. */
export function mayWrite(store: Store, { ns, query, upsert }: Statement): boolean {
  const collection = store.catalogue.find(ns);
  if (upsert || !collection) return upsert === true;
  return runQuery(store.engine, collection, { ...query, sort: undefined, limit: 1 }).next() >= 0;
}

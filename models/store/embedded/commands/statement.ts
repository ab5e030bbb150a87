import { readDoc } from '../bson/read.ts';
import { type Doc, toNumber, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { type Collection, docKey } from '../catalogue/collection.ts';
import { prepare } from '../catalogue/records.ts';
import { fail } from '../errors.ts';
import { Raw } from '../filter/path.ts';
import { type Query, runQuery, visitFound } from '../plan/query.ts';
import { checkTime, END, PAUSED } from '../plan/scan.ts';
import type { Turn } from '../turn.ts';
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

/** A write of up to so many documents is one transaction, whatever time it takes: a killed process does all of it or nothing. */
export const AT_ONCE = 500;

/**
 * The result of a statement: counts, and the last changed or removed document before and after. A statement that is not
 * done in its turn has records left for further transactions, or has to be searched for outside of one.
 */
export type Written = {
  n: number;
  nModified: number;
  upserted?: Value;
  before?: Buffer;
  after?: Buffer;
  left?: number[];
  unfound?: boolean;
};

/**
 * Runs a statement inside a write transaction, until its turn is over. Given the records that were found outside of it,
 * it changes those that still match.
 */
export function runStatement(store: Store, statement: Statement, turn?: Turn, found?: number[]): Written {
  const { ns, query, change, upsert } = statement;
  const { records } = store.catalogue;
  const collection = store.catalogue.find(ns);
  const written: Written = { n: 0, nModified: 0 };
  // All records are listed before the first one changes, so that none is found again where its change moved it. What an
  // upsert did not find may have come since.
  const isCertain = found?.length === 0 && upsert;
  const list = !collection
    ? []
    : found && !isCertain
      ? found
      : search(store, collection, query, isCertain ? undefined : turn);
  if (!list) return { ...written, unfound: true };
  for (const [i, record] of list.entries()) {
    if (i > 0 && list.length > AT_ONCE && turn?.isOver()) {
      written.left = list.slice(i);
      break;
    }
    const bytes = store.engine.docs.get(docKey(collection!.number, record));
    if (!bytes || (found && !query.condition(new Raw(bytes)))) continue;
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
  // Another write took the only document that was found: there may be a next one.
  if (written.n === 0 && query.limit === 1 && list.length > 0) return { ...written, unfound: true };
  if (list.length === 0 && change && upsert) {
    written.after = change();
    records.insert(store.catalogue.ensure(ns), written.after);
    written.n = 1;
    written.upserted = readDoc(written.after).get('_id');
  }
  return written;
}

/** The records that a query finds; undefined where that takes more than a turn. */
function search({ engine }: Store, collection: Collection, query: Query, turn?: Turn): number[] | undefined {
  const found = runQuery(engine, collection, query, turn);
  const records: number[] = [];
  for (let record = found.next(); record !== END; record = found.next()) {
    if (record === PAUSED) return undefined;
    records.push(record);
  }
  return records;
}

/** The records that a statement is about, searched for outside of any transaction, in as many turns as it takes. */
export async function searchInTurns(store: Store, { ns, query }: Statement): Promise<number[]> {
  const collection = store.catalogue.find(ns);
  const records: number[] = [];
  if (collection) await visitFound(store.engine, collection, query, (record) => records.push(record));
  return records;
}

/** Whether a statement might write something, read outside of any transaction: if not, none is opened for it. */
export function mayWrite(store: Store, { ns, query, upsert }: Statement, turn: Turn): boolean {
  const collection = store.catalogue.find(ns);
  if (upsert || !collection) return upsert === true;
  return runQuery(store.engine, collection, { ...query, sort: undefined, limit: 1 }, turn).next() !== END;
}

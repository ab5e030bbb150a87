import { expressionTest } from '../aggregate/expression.ts';
import { compilePipelineUpdate } from '../aggregate/pipeline.ts';
import { readDoc } from '../bson/read.ts';
import { type Doc, doc, isDoc, isNumber, ObjectId, toNumber, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { type Collection, prepare } from '../catalogue/collection.ts';
import { CommandError, fail } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import { type Found, type Query, runQuery } from '../plan/query.ts';
import { parseSort } from '../sort.ts';
import { compileUpdate, isReplacement, type Update } from '../update/compile.ts';
import { upsertBase } from '../update/upsert.ts';
import { collation, namespace } from './arguments.ts';
import type { Handler, Store } from './context.ts';
import { checkStatement } from './fields.ts';
import { writeError } from './reply.ts';

/** Runs a list of writes one by one; with `ordered` the first error ends it. */
function each<T>(items: T[], ordered: boolean, write: (item: T, index: number) => void): Doc[] {
  const errors: Doc[] = [];
  for (const [index, item] of items.entries()) {
    try {
      write(item, index);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(writeError(error, index));
      if (ordered) break;
    }
  }
  return errors;
}

const isOrdered = (body: Doc): boolean => body.get('ordered') === undefined || truthy(body.get('ordered'));

function checkBatch(count: number): void {
  if (count < 1 || count > 100_000)
    fail('InvalidLength', `Write batch sizes must be between 1 and 100000. Got ${count} operations.`);
}

const insert: Handler = (request, store) => {
  const ns = namespace(request);
  const documents = request.list('documents');
  checkBatch(documents.length);
  const ordered = isOrdered(request.body);
  return store.queue.run(() => {
    const collection = store.catalogue.ensure(ns);
    let n = 0;
    const writeErrors = each(documents, ordered, (raw) => {
      store.catalogue.records.insert(collection, prepare(raw));
      n++;
    });
    return doc({ n, writeErrors: writeErrors.length > 0 ? writeErrors : undefined, ok: 1 });
  });
};

/** One update statement, compiled. */
export type UpdateStatement = { query: Query; update: Update; replaces: boolean; multi: boolean; upsert: boolean };

/** Compiles the parts of an update statement; `raw` is {q, u, multi, upsert, arrayFilters, collation, hint, sort, c}. */
export function updateStatement(raw: Doc, collection?: Collection): UpdateStatement {
  const filter = raw.get('q');
  if (!isDoc(filter)) fail('TypeMismatch', "BSON field 'update.updates.q' is the wrong type, expected type 'object'");
  const collator = collation(raw, collection);
  const constants = raw.get('c');
  const variables = isDoc(constants) ? constants : undefined;
  const expression = expressionTest(variables);
  const update = raw.get('u');
  const replaces = isReplacement(update);
  const multi = truthy(raw.get('multi'));
  if (replaces && multi) fail('FailedToParse', 'multi update is not supported for replacement-style update');
  const sort = raw.get('sort');
  return {
    query: {
      filter,
      condition: compileFilter(filter, { collator, expression }),
      collator,
      hint: raw.get('hint'),
      sort: isDoc(sort) && sort.size > 0 ? parseSort(sort) : undefined,
      limit: multi ? 0 : 1,
    },
    update: compileUpdate(update, {
      collator,
      expression,
      arrayFilters: raw.get('arrayFilters'),
      pipeline: compilePipelineUpdate(variables),
    }),
    replaces,
    multi,
    upsert: truthy(raw.get('upsert')),
  };
}

export type Updated = { matched: number; modified: number; upserted?: Value; before?: Buffer; after?: Buffer };

/** Changes one record; tells whether its bytes are others now. */
function change(
  store: Store,
  collection: Collection,
  record: number,
  before: Buffer,
  statement: UpdateStatement,
  now: Date,
): Buffer {
  const after = prepare(
    writeDoc(statement.update(readDoc(before), { filter: statement.query.filter, inserting: false, now })),
  );
  if (!before.equals(after)) store.catalogue.records.replace(collection, record, before, after);
  return after;
}

/** Inserts what an upsert makes of its query and update. */
function upsert(
  store: Store,
  collection: Collection,
  statement: UpdateStatement,
  now: Date,
): { id: Value; raw: Buffer } {
  const base = statement.replaces ? idOnly(statement.query.filter) : upsertBase(statement.query.filter);
  const made = statement.update(base, { filter: statement.query.filter, inserting: true, now });
  if (!made.has('_id')) made.set('_id', new ObjectId());
  const raw = prepare(writeDoc(made));
  store.catalogue.records.insert(collection, raw);
  return { id: readDoc(raw).get('_id'), raw };
}

function idOnly(filter: Doc): Doc {
  const base = upsertBase(filter);
  return base.has('_id') ? new Map([['_id', base.get('_id')]]) : new Map();
}

function allRecords(found: Found): number[] {
  const records: number[] = [];
  for (let record = found.next(); record >= 0; record = found.next()) records.push(record);
  return records;
}

/** Runs an update statement inside a write transaction. */
export function runUpdate(store: Store, ns: string, statement: UpdateStatement): Updated {
  const now = new Date();
  const existing = store.catalogue.find(ns);
  const result: Updated = { matched: 0, modified: 0 };
  if (existing) {
    const found = runQuery(store.engine, existing, statement.query);
    // All records are known before the first one changes, so that none is met again where its change moved it.
    for (const record of allRecords(found)) {
      const before = store.catalogue.records.get(existing, record);
      const after = change(store, existing, record, before, statement, now);
      result.matched++;
      if (!before.equals(after)) result.modified++;
      result.before = before;
      result.after = after;
    }
  }
  if (result.matched === 0 && statement.upsert) {
    const made = upsert(store, store.catalogue.ensure(ns), statement, now);
    result.upserted = made.id;
    result.after = made.raw;
  }
  return result;
}

/** Whether a query finds anything, read outside of any transaction. */
export function finds(store: Store, ns: string, query: Query): boolean {
  const collection = store.catalogue.find(ns);
  return (
    collection !== undefined && runQuery(store.engine, collection, { ...query, sort: undefined, limit: 1 }).next() >= 0
  );
}

/** Lets a statement that is wrong fail in its own place, not the whole command. */
function compileEach<T>(items: Buffer[], kind: 'update' | 'delete', compile: (item: Doc) => T): (() => T)[] {
  return items.map((item) => {
    const statement = readDoc(item);
    checkStatement(kind, statement);
    try {
      const compiled = compile(statement);
      return () => compiled;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  });
}

const update: Handler = (request, store) => {
  const ns = namespace(request);
  const statements = compileEach(request.list('updates'), 'update', (raw) =>
    updateStatement(raw, store.catalogue.find(ns)),
  );
  checkBatch(statements.length);
  const ordered = isOrdered(request.body);
  const run = () => {
    let n = 0;
    let nModified = 0;
    const upserted: Doc[] = [];
    const writeErrors = each(statements, ordered, (compiled, index) => {
      const result = runUpdate(store, ns, compiled());
      n += result.matched + (result.upserted === undefined ? 0 : 1);
      nModified += result.modified;
      if (result.upserted !== undefined) upserted.push(doc({ index, _id: result.upserted }));
    });
    return doc({
      n,
      nModified,
      upserted: upserted.length > 0 ? upserted : undefined,
      writeErrors: writeErrors.length > 0 ? writeErrors : undefined,
      ok: 1,
    });
  };
  return idle(store, ns, statements) ? doc({ n: 0, nModified: 0, ok: 1 }) : store.queue.run(run);
};

/** Whether no statement would write anything: then no write transaction is opened. */
function idle(store: Store, ns: string, statements: (() => { query: Query; upsert?: boolean })[]): boolean {
  return (
    statements.length <= 10 &&
    statements.every((compiled) => {
      try {
        const statement = compiled();
        return !statement.upsert && !finds(store, ns, statement.query);
      } catch {
        return false;
      }
    })
  );
}

/** Compiles the parts of a delete statement; `raw` is {q, limit, collation, hint}. */
export function deleteStatement(raw: Doc, collection?: Collection): { query: Query } {
  const filter = raw.get('q');
  if (!isDoc(filter)) fail('TypeMismatch', "BSON field 'delete.deletes.q' is the wrong type, expected type 'object'");
  const limit = raw.get('limit');
  const one = isNumber(limit) ? toNumber(limit) : Number.NaN;
  if (one !== 0 && one !== 1)
    fail('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`);
  const collator = collation(raw, collection);
  return {
    query: {
      filter,
      condition: compileFilter(filter, { collator, expression: expressionTest() }),
      collator,
      hint: raw.get('hint'),
      limit: one,
    },
  };
}

/** Removes what a query finds; returns the documents' number and the last of them. */
export function runDelete(store: Store, ns: string, query: Query): { n: number; last?: Buffer } {
  const collection = store.catalogue.find(ns);
  if (!collection) return { n: 0 };
  const found = runQuery(store.engine, collection, query);
  const records = allRecords(found);
  let last: Buffer | undefined;
  for (const record of records) {
    last = store.catalogue.records.get(collection, record);
    store.catalogue.records.remove(collection, record, last);
  }
  return { n: records.length, last };
}

const remove: Handler = (request, store) => {
  const ns = namespace(request);
  const statements = compileEach(request.list('deletes'), 'delete', (raw) =>
    deleteStatement(raw, store.catalogue.find(ns)),
  );
  checkBatch(statements.length);
  const ordered = isOrdered(request.body);
  if (idle(store, ns, statements)) return doc({ n: 0, ok: 1 });
  return store.queue.run(() => {
    let n = 0;
    const writeErrors = each(statements, ordered, (compiled) => {
      n += runDelete(store, ns, compiled().query).n;
    });
    return doc({ n, writeErrors: writeErrors.length > 0 ? writeErrors : undefined, ok: 1 });
  });
};

export const WRITE: Record<string, Handler> = { insert, update, delete: remove };

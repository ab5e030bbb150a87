import { readDoc } from '../bson/read.ts';
import { type Doc, doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { prepare } from '../catalogue/collection.ts';
import { checkNamespace } from '../catalogue/namespace.ts';
import { CommandError, fail, refuse } from '../errors.ts';
import type { Request } from '../wire/message.ts';
import { checkFields, docOf, namespace } from './arguments.ts';
import type { Fields, Handler, Store } from './context.ts';
import { cursorSize, docStream } from './cursors.ts';
import { projectionOf } from './find.ts';
import {
  deleteStatement,
  type Left,
  mayWrite,
  runStatement,
  type Statement,
  updateStatement,
  type Written,
} from './statement.ts';

/** Documents that one transaction changes or removes at most, so that long writes let others in between. */
const SLICE = 1000;
/** Statements that are looked at before a transaction is opened for them. */
const PROBED = 10;

const isOrdered = (body: Doc): boolean => body.get('ordered') === undefined || truthy(body.get('ordered'));

function checkBatch(count: number): void {
  if (count < 1 || count > 100_000)
    fail('InvalidLength', `Write batch sizes must be between 1 and 100000. Got ${count} operations.`);
}

/** An error that belongs to one write of several; any other is thrown on. */
function errorOf(error: unknown): Fields {
  if (!(error instanceof CommandError)) throw error;
  return { code: error.code, errmsg: error.message, ...error.extra };
}

const orNothing = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

const insert: Handler = (request, store) => {
  const ns = namespace(request);
  const documents = request.list('documents');
  checkBatch(documents.length);
  return store.queue.run(() => {
    const collection = store.catalogue.ensure(ns);
    const writeErrors: Fields[] = [];
    for (const [index, raw] of documents.entries()) {
      try {
        store.catalogue.records.insert(collection, prepare(raw));
      } catch (error) {
        writeErrors.push({ index, ...errorOf(error) });
        if (isOrdered(request.body)) return { n: index, writeErrors };
      }
    }
    return { n: documents.length - writeErrors.length, writeErrors: orNothing(writeErrors) };
  });
};

/** How far the statements of a command have come. */
type Progress = { at: number; left?: Left; n: number; nModified: number; upserted: Fields[]; writeErrors: Fields[] };

/** A statement that is wrong fails in its own place, not the whole command. */
type Compiled = { statement: Statement } | { error: unknown };

/** Goes on with the statements of a command for one transaction; what it was given stays as it is. */
function goOn(store: Store, ns: string, compiled: Compiled[], ordered: boolean, from: Progress): Progress {
  const to = { ...from, upserted: [...from.upserted], writeErrors: [...from.writeErrors] };
  let room = SLICE;
  while (to.at < compiled.length && room > 0) {
    try {
      const next = compiled[to.at]!;
      if ('error' in next) throw next.error;
      const { written, left } = runStatement(store, ns, next.statement, room, to.left);
      to.n += written.n;
      to.nModified += written.nModified;
      if (written.upserted !== undefined) to.upserted.push({ index: to.at, _id: written.upserted });
      room -= Math.max(1, written.n);
      to.left = left.length > 0 ? left : undefined;
      if (to.left) return to;
    } catch (error) {
      to.writeErrors.push({ index: to.at, ...errorOf(error) });
      to.left = undefined;
      if (ordered) return { ...to, at: compiled.length };
    }
    to.at++;
  }
  return to;
}

async function writeAll(
  request: Request,
  store: Store,
  kind: 'update' | 'delete',
  compile: typeof updateStatement,
): Promise<Progress> {
  const ns = namespace(request);
  const compiled = request.documents(`${kind}s`).map((raw): Compiled => {
    checkFields(`${kind}.${kind}s`, raw);
    try {
      return { statement: compile(raw, store.catalogue.find(ns), docOf(request.body.get('let'))) };
    } catch (error) {
      return { error };
    }
  });
  checkBatch(compiled.length);
  const ordered = isOrdered(request.body);
  let progress: Progress = { at: 0, n: 0, nModified: 0, upserted: [], writeErrors: [] };
  const idle = (item: Compiled) => 'statement' in item && !mayWrite(store, ns, item.statement);
  if (compiled.length <= PROBED && compiled.every(idle)) return progress;
  while (progress.at < compiled.length) {
    const from = progress;
    progress = await store.queue.run(() => goOn(store, ns, compiled, ordered, from));
  }
  return progress;
}

const update: Handler = async (request, store) => {
  const { n, nModified, upserted, writeErrors } = await writeAll(request, store, 'update', updateStatement);
  return { n, nModified, upserted: orNothing(upserted), writeErrors: orNothing(writeErrors) };
};

const remove: Handler = async (request, store) => {
  const { n, writeErrors } = await writeAll(request, store, 'delete', deleteStatement);
  return { n, writeErrors: orNothing(writeErrors) };
};

type Totals = Record<'nInserted' | 'nMatched' | 'nModified' | 'nUpserted' | 'nDeleted', number>;

/** One operation of a bulkWrite, by its first field; each adds to the totals and gives its part of the reply. */
const OPERATIONS: Record<string, (op: Doc, ns: string, store: Store, totals: Totals) => Fields> = {
  insert(op, ns, store, totals) {
    const document = op.get('document');
    if (!isDoc(document)) fail('TypeMismatch', "BSON field 'bulkWrite.ops.document' must be an object");
    store.catalogue.records.insert(store.catalogue.ensure(ns), prepare(writeDoc(document)));
    totals.nInserted++;
    return { n: 1 };
  },
  update(op, ns, store, totals) {
    const raw = new Map<string, Value>([...op, ['q', op.get('filter')], ['u', op.get('updateMods')]]);
    const { n, nModified, upserted } = runStatement(
      store,
      ns,
      updateStatement(raw, undefined, docOf(op.get('constants'))),
    ).written;
    totals.nModified += nModified;
    if (upserted === undefined) totals.nMatched += n;
    else totals.nUpserted++;
    return { n, nModified, upserted: upserted === undefined ? undefined : { _id: upserted } };
  },
  delete(op, ns, store, totals) {
    const raw = new Map<string, Value>([...op, ['q', op.get('filter')], ['limit', truthy(op.get('multi')) ? 0 : 1]]);
    const { n } = runStatement(store, ns, deleteStatement(raw)).written;
    totals.nDeleted += n;
    return { n };
  },
};

const bulkWrite: Handler = (request, store) => {
  const ops = request.documents('ops');
  const namespaces = request.documents('nsInfo').map((item) => String(item.get('ns')));
  namespaces.forEach(checkNamespace);
  if (ops.length === 0) fail('InvalidOptions', 'May not specify an empty array for ops');
  const errorsOnly = truthy(request.body.get('errorsOnly'));
  return store.queue.run(() => {
    const totals: Totals = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
    const results: Fields[] = [];
    let nErrors = 0;
    for (const [idx, op] of ops.entries()) {
      try {
        const [kind, at] = op.entries().next().value ?? ['', 0];
        const ns = namespaces[Number(at)];
        const part = ns && OPERATIONS[kind]?.(op, ns, store, totals);
        if (!part) refuse(`Unrecognized bulkWrite operation '${kind}'`);
        if (!errorsOnly) results.push({ ok: 1, idx, ...part });
      } catch (error) {
        nErrors++;
        results.push({ ok: 0, idx, n: 0, ...errorOf(error) });
        if (isOrdered(request.body)) break;
      }
    }
    return store.cursors.first('admin.$cmd.bulkWrite', docStream(results.map(doc)), {
      size: cursorSize(request.body) ?? Number.POSITIVE_INFINITY,
      more: doc({ nErrors, ...totals }),
    });
  });
};

const findAndModify: Handler = async (request, store) => {
  const { body } = request;
  const ns = namespace(request);
  const [remove, upsert, fresh] = ['remove', 'upsert', 'new'].map((option) => truthy(body.get(option)));
  const update = body.get('update');
  if (remove && update !== undefined) fail('FailedToParse', 'Cannot specify both an update and remove=true');
  if (remove && upsert) fail('FailedToParse', 'Cannot specify both upsert=true and remove=true');
  if (remove && fresh) fail('FailedToParse', 'Cannot specify both new=true and remove=true');
  if (!remove && update === undefined) fail('FailedToParse', 'Either an update or remove=true must be specified');
  const raw = new Map<string, Value>([...body, ['q', body.get('query')], ['u', update], ['limit', 1]]);
  const variables = docOf(body.get('let'));
  const collection = store.catalogue.find(ns);
  const statement = remove ? deleteStatement(raw, collection, variables) : updateStatement(raw, collection, variables);
  const project = projectionOf(docOf(body.get('fields')), statement.query, variables);
  const written: Written = mayWrite(store, ns, statement)
    ? await store.queue.run(() => runStatement(store, ns, statement).written)
    : { n: 0, nModified: 0 };
  const shown = fresh ? written.after : written.before;
  const value = shown ? readDoc(shown) : null;
  return {
    lastErrorObject: {
      n: written.n,
      updatedExisting: remove ? undefined : written.n > 0 && written.upserted === undefined,
      upserted: written.upserted,
    },
    value: value && project ? project(value) : value,
  };
};

export const WRITE: Record<string, Handler> = {
  insert,
  update,
  delete: remove,
  bulkWrite,
  findAndModify,
  findandmodify: findAndModify,
};

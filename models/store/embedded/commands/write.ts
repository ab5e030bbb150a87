import { readDoc } from '../bson/read.ts';
import { type Doc, doc, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { checkNamespace } from '../catalogue/catalogue.ts';
import { prepare } from '../catalogue/records.ts';
import { CommandError, fail, refuse } from '../errors.ts';
import { checkFields, docOf } from './arguments.ts';
import type { Call, Fields, Handler, Store } from './context.ts';
import { docStream } from './cursors.ts';
import { projectionOf } from './find.ts';
import { COMPILE, mayWrite, runStatement, type Statement, type Written } from './statement.ts';

/** Most documents changed or removed in one transaction, so that long writes do not block others. */
const SLICE = 1000;
/** Writes that are examined before a transaction is opened for them. */
const PROBED = 10;

/** One write of a command: the document of an insert, a statement, or what is wrong with it. */
type Write = { ns: string; document: Buffer } | Statement | CommandError;

/** The outcome of one write; an error does not affect the other writes. */
type Outcome = Written & { error?: CommandError };

/** The result of `work`, or its error; exceeding the time limit fails the whole command. */
function orError<T>(work: () => T): T | CommandError {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandError && error.codeName !== 'MaxTimeMSExpired') return error;
    throw error;
  }
}

function written(store: Store, write: Write, most?: number, left?: number[]): Outcome {
  const done = orError(() => {
    if (write instanceof CommandError) return write;
    if ('query' in write) return runStatement(store, write, most, left);
    store.catalogue.records.insert(store.catalogue.ensure(write.ns), prepare(write.document));
    return { n: 1, nModified: 0 };
  });
  return done instanceof CommandError ? { n: 0, nModified: 0, error: done } : done;
}

/** Runs writes one after the other, in as many transactions as they need; after an error no others where `ordered`. */
async function runAll({ body, store }: Call, writes: Write[]): Promise<Outcome[]> {
  const ordered = body.get('ordered') === undefined || truthy(body.get('ordered'));
  const isOver = (outcomes: Outcome[]): boolean => {
    const last = outcomes.at(-1);
    return !last?.left && (outcomes.length === writes.length || (ordered && last?.error !== undefined));
  };
  /** The outcomes after one more transaction. Its input is not changed, because the transaction may run again. */
  const goOn = (before: Outcome[]): Outcome[] => {
    const outcomes = [...before];
    for (let room = SLICE; room > 0 && !isOver(outcomes); ) {
      const begun = outcomes.at(-1)?.left ? outcomes.pop() : undefined;
      const { n, nModified, upserted, left, error } = written(store, writes[outcomes.length]!, room, begun?.left);
      const sums = { n: n + (begun?.n ?? 0), nModified: nModified + (begun?.nModified ?? 0) };
      outcomes.push({ ...sums, upserted, left, error });
      room -= Math.max(1, n);
    }
    return outcomes;
  };
  const isIdle = (write: Write): boolean => 'query' in write && !mayWrite(store, write);
  if (writes.length <= PROBED && writes.every(isIdle)) return writes.map(() => ({ n: 0, nModified: 0 }));
  let outcomes: Outcome[] = [];
  while (!isOver(outcomes)) outcomes = await store.queue.run(() => goOn(outcomes));
  return outcomes;
}

const sum = (outcomes: Outcome[], field: 'n' | 'nModified'): number =>
  outcomes.reduce((total, outcome) => total + outcome[field], 0);

const shown = ({ code, message, extra }: CommandError): Fields => ({ code, errmsg: message, ...extra });

/** Empty lists are left out of replies. */
const orNothing = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/** An insert, an update or a delete: a command of several writes. */
const writing =
  (writesOf: (call: Call) => Write[]): Handler =>
  async (call) => {
    const writes = writesOf(call);
    if (writes.length < 1 || writes.length > 100_000)
      fail('InvalidLength', `Write batch sizes must be between 1 and 100000. Got ${writes.length} operations.`);
    const outcomes = await runAll(call, writes);
    const writeErrors = outcomes.flatMap(({ error }, index) => (error ? { index, ...shown(error) } : []));
    const upserted = outcomes.flatMap(({ upserted: _id }, index) => (_id === undefined ? [] : { index, _id }));
    const changes =
      call.name === 'update' ? { nModified: sum(outcomes, 'nModified'), upserted: orNothing(upserted) } : {};
    return { n: sum(outcomes, 'n'), ...changes, writeErrors: orNothing(writeErrors) };
  };

const stating = (kind: 'update' | 'delete'): Handler =>
  writing(({ body, ns, store, request }) => {
    const given = docOf(body.get('let'));
    const limit: [string, Value] = ['maxTimeMS', body.get('maxTimeMS')];
    return request.documents(`${kind}s`).map((raw) => {
      checkFields(`${kind}.${kind}s`, raw);
      return orError(() => COMPILE[kind](store, ns, new Map([...raw, limit]), given));
    });
  });

/** The write that an operation of a bulkWrite stands for. */
function writeOf(op: Doc, namespaces: string[], { body, store }: Call): Write {
  const [kind = '', at] = op.entries().next().value ?? [];
  const ns = namespaces[Number(at)] ?? refuse(`BSON field 'bulkWrite.nsInfo' has no namespace ${String(at)}`);
  checkFields(`bulkWrite.${kind}`, op);
  if (kind === 'insert') return { ns, document: writeDoc(docOf(op.get('document'))) };
  if (kind !== 'update' && kind !== 'delete') refuse(`Unrecognized bulkWrite operation '${kind}'`);
  const limit = truthy(op.get('multi')) ? 0 : 1;
  const raw = new Map<string, Value>([...op, ['q', op.get('filter')], ['u', op.get('updateMods')], ['limit', limit]]);
  raw.set('maxTimeMS', body.get('maxTimeMS'));
  const given = new Map([...docOf(body.get('let')), ...docOf(op.get('constants'))]);
  return orError(() => COMPILE[kind](store, ns, raw, given));
}

export const WRITE: Record<string, Handler> = {
  insert: writing(({ ns, request }) => request.list('documents').map((document) => ({ ns, document }))),
  update: stating('update'),
  delete: stating('delete'),
  bulkWrite: async (call) => {
    const { body, db, request, store } = call;
    if (db !== 'admin') fail('Unauthorized', 'bulkWrite may only be run against the admin database.');
    const ops = request.documents('ops');
    const namespaces = request.documents('nsInfo').map((item) => {
      checkFields('bulkWrite.nsInfo', item);
      return item.get('ns') as string;
    });
    namespaces.forEach(checkNamespace);
    if (ops.length === 0) fail('InvalidOptions', 'May not specify an empty array for ops');
    const writes = ops.map((op) => writeOf(op, namespaces, call));
    const outcomes = await runAll(call, writes);
    const parts = outcomes.map(({ error, n, nModified, upserted: _id }, idx) => {
      const update = ops[idx]!.has('update') && { nModified, upserted: _id === undefined ? _id : { _id } };
      return { ok: error ? 0 : 1, idx, n, ...update, ...(error && shown(error)) };
    });
    const of = (kind: string) => outcomes.filter((_, idx) => ops[idx]!.has(kind));
    const upserts = outcomes.filter(({ upserted }) => upserted !== undefined).length;
    const totals = {
      nErrors: outcomes.filter(({ error }) => error).length,
      nInserted: sum(of('insert'), 'n'),
      nMatched: sum(of('update'), 'n') - upserts,
      nModified: sum(outcomes, 'nModified'),
      nUpserted: upserts,
      nDeleted: sum(of('delete'), 'n'),
    };
    const told = truthy(body.get('errorsOnly')) ? parts.filter(({ ok }) => ok === 0) : parts;
    const replies = docStream(told.map(doc));
    return store.cursors.first('admin.$cmd.bulkWrite', replies, body, {
      usual: Number.POSITIVE_INFINITY,
      more: doc(totals),
    });
  },

  findAndModify: async ({ body, ns, store }) => {
    const [remove, upsert, fresh] = ['remove', 'upsert', 'new'].map((option) => truthy(body.get(option)));
    const update = body.get('update');
    const others = { 'an update': update !== undefined, 'upsert=true': upsert, 'new=true': fresh };
    for (const [what, given] of Object.entries(others))
      if (remove && given) fail('FailedToParse', `Cannot specify both ${what} and remove=true`);
    if (!remove && update === undefined) fail('FailedToParse', 'Either an update or remove=true must be specified');
    const raw = new Map<string, Value>([...body, ['q', body.get('query')], ['u', update], ['limit', 1]]);
    const variables = docOf(body.get('let'));
    const statement = COMPILE[remove ? 'delete' : 'update'](store, ns, raw, variables);
    const project = projectionOf(docOf(body.get('fields')), statement.query, variables);
    const outcome: Outcome = mayWrite(store, statement)
      ? await store.queue.run(() => written(store, statement))
      : { n: 0, nModified: 0 };
    if (outcome.error) throw outcome.error;
    const { n, upserted, before, after } = outcome;
    const found = fresh ? after : before;
    const value = found ? readDoc(found) : null;
    const updatedExisting = remove ? undefined : n > 0 && upserted === undefined;
    return { lastErrorObject: { n, updatedExisting, upserted }, value: value && project ? project(value) : value };
  },
};

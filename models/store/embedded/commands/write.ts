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
import { deleteStatement, mayWrite, runStatement, type Statement, updateStatement, type Written } from './statement.ts';

/** Documents that one transaction changes or removes at most, so that long writes let others in between. */
const SLICE = 1000;
/** Writes that are looked at before a transaction is opened for them. */
const PROBED = 10;

/** One write of a command: run in a transaction, once or until nothing is left, unless it would change nothing. */
type Write = { run(most: number, left?: number[]): Written; idle(): boolean };

/** What came of a write; an error is its own and does not concern the others. */
type Outcome = Written & { error?: CommandError };

const inserting = (store: Store, ns: string, raw: Buffer): Write => ({
  idle: () => false,
  run() {
    store.catalogue.records.insert(store.catalogue.ensure(ns), prepare(raw));
    return { n: 1, nModified: 0 };
  },
});

/** A statement that is wrong fails in its own place, not the whole command. */
function stating(store: Store, ns: string, compile: () => Statement): Write {
  try {
    const statement = compile();
    const run = (most: number, left?: number[]) => runStatement(store, ns, statement, most, left);
    return { run, idle: () => !mayWrite(store, ns, statement) };
  } catch (error) {
    const run = () => {
      throw error;
    };
    return { run, idle: () => false };
  }
}

function attempt(write: Write, most: number, left?: number[]): Outcome {
  try {
    return write.run(most, left);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { n: 0, nModified: 0, error };
  }
}

/** Runs writes one after the other, in as many transactions as they need; after an error no others where `ordered`. */
async function runAll(store: Store, writes: Write[], ordered: boolean): Promise<Outcome[]> {
  const isOver = (outcomes: Outcome[]): boolean => {
    const last = outcomes.at(-1);
    return !last?.left && (outcomes.length === writes.length || (ordered && last?.error !== undefined));
  };
  /** The outcomes after one transaction more; what it is given stays as it is, for it may have to run again. */
  const goOn = (before: Outcome[]): Outcome[] => {
    const outcomes = [...before];
    for (let room = SLICE; room > 0 && !isOver(outcomes); ) {
      const begun = outcomes.at(-1)?.left ? outcomes.pop() : undefined;
      const { n, nModified, upserted, left, error } = attempt(writes[outcomes.length]!, room, begun?.left);
      const sums = { n: n + (begun?.n ?? 0), nModified: nModified + (begun?.nModified ?? 0) };
      outcomes.push({ ...sums, upserted, left, error });
      room -= Math.max(1, n);
    }
    return outcomes;
  };
  if (writes.length <= PROBED && writes.every((write) => write.idle()))
    return writes.map(() => ({ n: 0, nModified: 0 }));
  let outcomes: Outcome[] = [];
  while (!isOver(outcomes)) {
    const before = outcomes;
    outcomes = await store.queue.run(() => goOn(before));
  }
  return outcomes;
}

const sum = (outcomes: Outcome[], field: 'n' | 'nModified'): number =>
  outcomes.reduce((total, outcome) => total + outcome[field], 0);

const shown = ({ code, message, extra }: CommandError): Fields => ({ code, errmsg: message, ...extra });

/** Lists that are empty are left out of replies. */
const orNothing = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

const isOrdered = (body: Doc): boolean => body.get('ordered') === undefined || truthy(body.get('ordered'));

/** The write of one item of a command's list; `given` are the command's `let` variables. */
type WriteOf<Item> = (item: Item, store: Store, ns: string, given: Doc) => Write;

/** An insert, an update or a delete: a write of each item of its list. */
const writing =
  <Item>(list: (request: Request) => Item[], writeOf: WriteOf<Item>): Handler =>
  async (request, store) => {
    const { body, name } = request;
    const ns = namespace(request);
    const writes = list(request).map((item) => writeOf(item, store, ns, docOf(body.get('let'))));
    if (writes.length < 1 || writes.length > 100_000)
      fail('InvalidLength', `Write batch sizes must be between 1 and 100000. Got ${writes.length} operations.`);
    const outcomes = await runAll(store, writes, isOrdered(body));
    const writeErrors = outcomes.flatMap(({ error }, index) => (error ? { index, ...shown(error) } : []));
    const upserted = outcomes.flatMap(({ upserted: _id }, index) => (_id === undefined ? [] : { index, _id }));
    const changes = name === 'update' ? { nModified: sum(outcomes, 'nModified'), upserted: orNothing(upserted) } : {};
    return { n: sum(outcomes, 'n'), ...changes, writeErrors: orNothing(writeErrors) };
  };

const insert = writing(
  (request) => request.list('documents'),
  (raw, store, ns) => inserting(store, ns, raw),
);

const statements = (kind: 'update' | 'delete', compile: typeof updateStatement): Handler =>
  writing(
    (request) => request.documents(`${kind}s`),
    (raw, store, ns, given) => {
      checkFields(`${kind}.${kind}s`, raw);
      return stating(store, ns, () => compile(raw, store.catalogue.find(ns), given));
    },
  );

/** The write that an operation of a bulkWrite stands for. */
function writeOf(op: Doc, namespaces: string[], store: Store): Write {
  const [kind, at] = op.entries().next().value ?? [];
  const ns = namespaces[Number(at)] ?? refuse(`BSON field 'bulkWrite.nsInfo' has no namespace ${String(at)}`);
  const document = op.get('document');
  if (kind === 'insert' && isDoc(document)) return inserting(store, ns, writeDoc(document));
  const compile = kind === 'update' ? updateStatement : kind === 'delete' ? deleteStatement : undefined;
  if (!compile) refuse(`Unrecognized bulkWrite operation '${kind}', or its document is missing`);
  const limit = truthy(op.get('multi')) ? 0 : 1;
  const raw = new Map<string, Value>([...op, ['q', op.get('filter')], ['u', op.get('updateMods')], ['limit', limit]]);
  return stating(store, ns, () => compile(raw, undefined, docOf(op.get('constants'))));
}

const bulkWrite: Handler = async (request, store) => {
  const ops = request.documents('ops');
  const namespaces = request.documents('nsInfo').map((item) => String(item.get('ns')));
  namespaces.forEach(checkNamespace);
  if (ops.length === 0) fail('InvalidOptions', 'May not specify an empty array for ops');
  const writes = ops.map((op) => writeOf(op, namespaces, store));
  const outcomes = await runAll(store, writes, isOrdered(request.body));
  const parts = outcomes.map(({ error, n, nModified, upserted }, idx) => {
    const update = ops[idx]!.has('update') && {
      nModified,
      upserted: upserted === undefined ? upserted : { _id: upserted },
    };
    return { ok: error ? 0 : 1, idx, n, ...update, ...(error && shown(error)) };
  });
  const of = (kind: string) => outcomes.filter((_, idx) => ops[idx]!.has(kind));
  const upserts = outcomes.filter(({ upserted }) => upserted !== undefined).length;
  const totals = {
    nErrors: parts.filter(({ ok }) => ok === 0).length,
    nInserted: sum(of('insert'), 'n'),
    nMatched: sum(of('update'), 'n') - upserts,
    nModified: sum(outcomes, 'nModified'),
    nUpserted: upserts,
    nDeleted: sum(of('delete'), 'n'),
  };
  const told = truthy(request.body.get('errorsOnly')) ? parts.filter(({ ok }) => ok === 0) : parts;
  const size = cursorSize(request.body) ?? Number.POSITIVE_INFINITY;
  return store.cursors.first('admin.$cmd.bulkWrite', docStream(told.map(doc)), { size, more: doc(totals) });
};

const findAndModify: Handler = async (request, store) => {
  const { body } = request;
  const ns = namespace(request);
  const [remove, upsert, fresh] = ['remove', 'upsert', 'new'].map((option) => truthy(body.get(option)));
  const update = body.get('update');
  const others = { 'an update': update !== undefined, 'upsert=true': upsert, 'new=true': fresh };
  for (const [what, given] of Object.entries(others))
    if (remove && given) fail('FailedToParse', `Cannot specify both ${what} and remove=true`);
  if (!remove && update === undefined) fail('FailedToParse', 'Either an update or remove=true must be specified');
  const raw = new Map<string, Value>([...body, ['q', body.get('query')], ['u', update], ['limit', 1]]);
  const variables = docOf(body.get('let'));
  const statement = (remove ? deleteStatement : updateStatement)(raw, store.catalogue.find(ns), variables);
  const project = projectionOf(docOf(body.get('fields')), statement.query, variables);
  const run = (): Written => runStatement(store, ns, statement);
  const written = mayWrite(store, ns, statement) ? await store.queue.run(run) : { n: 0, nModified: 0 };
  const { n, upserted, before, after }: Written = written;
  const found = fresh ? after : before;
  const value = found ? readDoc(found) : null;
  const updatedExisting = remove ? undefined : n > 0 && upserted === undefined;
  return { lastErrorObject: { n, updatedExisting, upserted }, value: value && project ? project(value) : value };
};

export const WRITE: Record<string, Handler> = {
  insert,
  update: statements('update', updateStatement),
  delete: statements('delete', deleteStatement),
  bulkWrite,
  findAndModify,
  findandmodify: findAndModify,
};

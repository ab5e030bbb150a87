import { readDoc } from '../bson/read.ts';
import { truthy, type Value } from '../bson/value.ts';
import { prepare } from '../catalogue/records.ts';
import { CommandError, fail } from '../errors.ts';
import { Turn } from '../turn.ts';
import { checkFields, docOf } from './arguments.ts';
import type { Call, Fields, Handler, Store } from './context.ts';
import { projectionOf } from './find.ts';
import { AT_ONCE, COMPILE, mayWrite, runStatement, type Statement, searchInTurns, type Written } from './statement.ts';

/** Errors of one write that are its command's, so that nothing is done of a command with a write that is refused. */
const FAILS_ALL = ['MaxTimeMSExpired', 'CommandNotSupported'];
/** Writes that are examined before a transaction is opened for them. */
const PROBED = 10;

/** One write of a command: the document of an insert, a statement, or what is wrong with it. */
type Write = { ns: string; document: Buffer } | Statement | CommandError;

/** The outcome of one write; an error does not affect the other writes. */
type Outcome = Written & { error?: CommandError };

/** The result of `work`, or its error; exceeding the time limit fails the whole command, and so does what is not supported. */
function orError<T>(work: () => T): T | CommandError {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandError && !FAILS_ALL.includes(error.codeName)) return error;
    throw error;
  }
}

function written(store: Store, write: Write, turn: Turn, found?: number[]): Outcome {
  const done = orError(() => {
    if (write instanceof CommandError) return write;
    if ('query' in write) return runStatement(store, write, turn, found);
    store.catalogue.records.insert(store.catalogue.ensure(write.ns), prepare(write.document));
    return { n: 1, nModified: 0 };
  });
  return done instanceof CommandError ? { n: 0, nModified: 0, error: done } : done;
}

const sum = (outcomes: Outcome[], field: 'n' | 'nModified'): number =>
  outcomes.reduce((total, outcome) => total + outcome[field], 0);

/** Runs writes one after the other, in as many transactions as they need; after an error no others where `ordered`. */
async function runAll(store: Store, writes: Write[], ordered: boolean): Promise<Outcome[]> {
  const isOver = (outcomes: Outcome[]): boolean => {
    const last = outcomes.at(-1);
    return !last?.left && (outcomes.length === writes.length || (ordered && last?.error !== undefined));
  };
  const isSmall = (outcomes: Outcome[]): boolean => writes.length <= AT_ONCE && sum(outcomes, 'n') <= AT_ONCE;
  /** The outcomes after one more transaction. Its input is not changed, because the transaction may run again. */
  const goOn = (before: Outcome[]): Outcome[] => {
    const outcomes = [...before];
    const turn = new Turn();
    do {
      const begun = outcomes.at(-1)?.left ? outcomes.pop() : undefined;
      const more = written(store, writes[outcomes.length]!, turn, begun?.left);
      // Only the document of a single write is asked for.
      const documents = writes.length > 1 ? { before: undefined, after: undefined } : {};
      const sums = { n: more.n + (begun?.n ?? 0), nModified: more.nModified + (begun?.nModified ?? 0) };
      outcomes.push({ ...more, ...documents, ...sums });
    } while (
      !isOver(outcomes) &&
      !outcomes.at(-1)!.unfound &&
      !outcomes.at(-1)!.left &&
      (isSmall(outcomes) || !turn.isOver())
    );
    return outcomes;
  };
  const probe = new Turn();
  const isIdle = (write: Write): boolean => 'query' in write && !mayWrite(store, write, probe);
  if (writes.length <= PROBED && writes.every(isIdle)) return writes.map(() => ({ n: 0, nModified: 0 }));
  let outcomes: Outcome[] = [];
  for (let goesOn = true; goesOn; goesOn = !isOver(outcomes)) {
    outcomes = await store.queue.run(() => goOn(outcomes));
    if (!outcomes.at(-1)?.unfound) continue;
    const statement = writes[outcomes.length - 1] as Statement;
    outcomes[outcomes.length - 1] = { n: 0, nModified: 0, left: await searchInTurns(store, statement) };
  }
  return outcomes;
}

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
    const outcomes = await runAll(call.store, writes, truthy(call.body.get('ordered') ?? true));
    const writeErrors = outcomes.flatMap(({ error }, index) => (error ? { index, ...shown(error) } : []));
    const upserted = outcomes.flatMap(({ upserted: _id }, index) => (_id === undefined ? [] : { index, _id }));
    const changes =
      call.name === 'update' ? { nModified: sum(outcomes, 'nModified'), upserted: orNothing(upserted) } : {};
    return { n: sum(outcomes, 'n'), ...changes, writeErrors: orNothing(writeErrors) };
  };

const stating = (kind: 'update' | 'delete'): Handler =>
  writing(({ body, ns, request }) => {
    const limit: [string, Value] = ['maxTimeMS', body.get('maxTimeMS')];
    return request.documents(`${kind}s`).map((raw) => {
      checkFields(`${kind}.${kind}s`, raw);
      return orError(() => COMPILE[kind](ns, new Map([...raw, limit])));
    });
  });

export const WRITE: Record<string, Handler> = {
  insert: writing(({ ns, request }) => request.list('documents').map((document) => ({ ns, document }))),
  update: stating('update'),
  delete: stating('delete'),
  findAndModify: async ({ body, ns, store }) => {
    const [remove, upsert, fresh] = ['remove', 'upsert', 'new'].map((option) => truthy(body.get(option)));
    const update = body.get('update');
    const others = { 'an update': update !== undefined, 'upsert=true': upsert, 'new=true': fresh };
    for (const [what, given] of Object.entries(others))
      if (remove && given) fail('FailedToParse', `Cannot specify both ${what} and remove=true`);
    if (!remove && update === undefined) fail('FailedToParse', 'Either an update or remove=true must be specified');
    const raw = new Map<string, Value>([...body, ['q', body.get('query')], ['u', update], ['limit', 1]]);
    const statement = COMPILE[remove ? 'delete' : 'update'](ns, raw);
    const project = projectionOf(docOf(body.get('fields')));
    const [outcome] = await runAll(store, [statement], true);
    const { n, upserted, before, after, error } = outcome!;
    if (error) throw error;
    const found = fresh ? after : before;
    const value = found ? readDoc(found) : null;
    const updatedExisting = remove ? undefined : n > 0 && upserted === undefined;
    return { lastErrorObject: { n, updatedExisting, upserted }, value: value && project ? project(value) : value };
  },
};

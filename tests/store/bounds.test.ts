import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { type Doc, doc } from '../../models/store/embedded/bson/value.ts';
import { writeDoc } from '../../models/store/embedded/bson/write.ts';
import { prepare } from '../../models/store/embedded/catalogue/records.ts';
import { answer } from '../../models/store/embedded/commands/index.ts';
import { COMPILE, runStatement } from '../../models/store/embedded/commands/statement.ts';
import { compileFilter } from '../../models/store/embedded/filter/compile.ts';
import { runQuery } from '../../models/store/embedded/plan/query.ts';
import { END, PAUSED } from '../../models/store/embedded/plan/scan.ts';
import { parseSort, sortDocs } from '../../models/store/embedded/sort.ts';
import { openEngine } from '../../models/store/embedded/storage/engine.ts';
import { openStore } from '../../models/store/embedded/store.ts';
import { Turn } from '../../models/store/embedded/turn.ts';
import { cleanUp, newDirectory } from './process.ts';

afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(cleanUp);

/** Every look at the clock finds a turn over. */
function hurry(): void {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
}

const documents = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => prepare(writeDoc(doc({ _id: i, n: i }))));

/** A store with so many documents in `t.c`, whose records are numbered from 1. */
async function storeOf(count: number) {
  const store = await openStore(newDirectory());
  const { catalogue, queue } = store;
  await queue.run(() => {
    for (const raw of documents(count)) catalogue.records.insert(catalogue.ensure('t.c'), raw);
  });
  return store;
}

test('an insert of 500 documents is one transaction, one of 501 works in several', async () => {
  const store = await storeOf(0);
  const body = doc({ insert: 'c' });
  const insert = async (list: Buffer[]) => {
    const request = { id: 1, legacy: false, silent: false, name: 'insert', db: 't', body };
    const before = store.engine.transactions();
    const session = { id: 1, authenticated: true };
    const reply = await answer({ ...request, list: () => list, documents: () => [] }, store, session);
    return { n: (reply as Doc).get('n'), transactions: store.engine.transactions() - before };
  };
  const all = documents(1001);
  hurry();
  expect(await insert(all.slice(0, 500))).toEqual({ n: 500, transactions: 1 });
  expect(await insert(all.slice(500))).toEqual({ n: 501, transactions: 501 });
  await store.close();
});

test.each([
  [500, { n: 500, left: undefined }],
  [501, { n: 1, left: 500 }],
])('an update of %d documents, whose turn is over at once', async (count, expected) => {
  const store = await storeOf(count);
  const statement = COMPILE.update('t.c', doc({ q: {}, u: { $set: { z: 1 } }, multi: true }));
  const found = Array.from({ length: count }, (_, i) => i + 1);
  hurry();
  const turn = new Turn();
  const { n, left } = await store.queue.run(() => runStatement(store, statement, turn, found));
  expect({ n, left: left?.length }).toEqual(expected);
  await store.close();
});

test('a collection has 64 indexes at most, those that are being built among them', async () => {
  const store = await storeOf(1);
  const begin = (i: number) => store.catalogue.beginIndex(store.catalogue.find('t.c')!, doc({ key: { [`f${i}`]: 1 } }));
  await store.queue.run(() => Array.from({ length: 63 }, (_, i) => begin(i)));
  await expect(store.queue.run(() => begin(63))).rejects.toMatchObject({ code: 67 });
  await store.close();
});

test('a closed file is neither read nor written', async () => {
  const engine = await openEngine(join(newDirectory(), 'store.mdb'));
  const [key, value] = [Buffer.from('k'), Buffer.from('v')];
  engine.write(() => engine.docs.put(key, value));
  await engine.close();
  const work = jest.fn();
  expect(() => engine.write(work)).toThrow('The store is closed');
  expect(work).not.toHaveBeenCalled();
  for (const read of [engine.docs.get, engine.docs.peek]) expect(() => read(key)).toThrow('The store is closed');
  expect(() => engine.docs.keys({ start: key, end: value })).toThrow('The store is closed');
});

test('what was sorted in memory is given in turns', async () => {
  const { engine, catalogue, close } = await storeOf(3);
  let looks = 0;
  const turn = Object.assign(new Turn(), { isOver: () => looks++ % 2 === 1 });
  const query = { filter: new Map(), condition: compileFilter(new Map()), sort: parseSort(doc({ n: -1 })) };
  const found = runQuery(engine, catalogue.find('t.c')!, query, turn);
  const given: number[] = [];
  for (let next = found.next(); next !== END; next = found.next()) given.push(next);
  expect(given.filter((item) => item !== PAUSED)).toEqual([3, 2, 1]);
  expect(given.slice(given.indexOf(3))).toContain(PAUSED);
  await close();
});

test('a $sort of documents that other stages made lets others in', async () => {
  async function* made() {
    for (let n = 0; n < 1500; n++) yield doc({ n });
  }
  let others = 0;
  const other = () => {
    others++;
    waiting = setImmediate(other);
  };
  let waiting = setImmediate(other);
  hurry();
  const sorted: unknown[] = [];
  for await (const item of sortDocs(made(), parseSort(doc({ n: -1 })))) sorted.push(item.get('n'));
  clearImmediate(waiting);
  expect(sorted).toEqual(Array.from({ length: 1500 }, (_, i) => 1499 - i));
  expect(others).toBeGreaterThan(2);
});

import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { doc } from '../../models/store/embedded/bson/value.ts';
import { writeDoc } from '../../models/store/embedded/bson/write.ts';
import { hasGarbage } from '../../models/store/embedded/catalogue/collection.ts';
import { prepare } from '../../models/store/embedded/catalogue/records.ts';
import { openStore } from '../../models/store/embedded/store.ts';
import { sortInTurns, Turn } from '../../models/store/embedded/turn.ts';
import { codeOf, type Document, embedded, expect, openDatabase, test, uri } from './harness.ts';
import { cleanUp, newDirectory, serveHere } from './process.ts';

const bench = openDatabase('turns');
const DOCS = 30_000;
let docs: Collection<Document>;
let other: MongoClient;

beforeAll(async () => {
  docs = bench.fresh();
  await docs.insertMany(
    Array.from({ length: DOCS }, (_, i) => ({ _id: i as never, n: (i * 7919) % DOCS, s: `s${i % 50}` })),
  );
  other = await new MongoClient(uri()).connect();
  await other.db('admin').command({ ping: 1 });
});
afterAll(() => other.close());

/** How many pings, one after the other, are answered before something is done. */
async function pingsDuring(long: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ended = long.finally(() => {
    isDone = true;
  });
  let pings = 0;
  while (!isDone) {
    await other.db('admin').command({ ping: 1 });
    if (!isDone) pings++;
  }
  await ended;
  return pings;
}

/** A MongoDB does this by its threads. */
const onEmbedded = embedded ? describe : describe.skip;

onEmbedded('pings are answered while a long request goes on:', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a count without an index', () => docs.countDocuments({ s: 'x' })],
    [
      'a sort in memory',
      () =>
        docs
          .find({})
          .sort({ n: -1 })
          .skip(DOCS - 1)
          .toArray(),
    ],
    ['a group', () => docs.aggregate([{ $group: { _id: '$s', n: { $sum: '$n' } } }]).toArray()],
    ['distinct values', () => docs.distinct('s')],
    ['a search that finds nothing to change', () => docs.updateOne({ s: 'x' }, { $set: { z: 1 } })],
    [
      'a change of one that is far behind',
      () => docs.findOneAndUpdate({ n: DOCS - 7919, s: 's49' }, { $set: { z: 1 } }),
    ],
    ['an index that is built', () => docs.createIndex({ n: 1, s: 1 })],
    ['an update of all', () => docs.updateMany({}, { $set: { z: 2 } })],
    ['an insert of many', () => bench.fresh().insertMany(Array.from({ length: 5000 }, (_, n) => ({ n })))],
    ['a removal of many', () => docs.deleteMany({ n: { $lt: 3000 } })],
  ])('%s', async (_name, long) => {
    expect(await pingsDuring(long())).toBeGreaterThanOrEqual(2);
  });
});

describe('a long write', () => {
  const filled = async () => {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: 4000 }, (_, i) => ({ _id: i as never, n: 0, u: i })));
    return collection;
  };

  test('of documents that are far behind is done once by each of those who want one', async () => {
    const collection = await filled();
    await collection.insertMany([-3, -2, -1].map((_id) => ({ _id: _id as never, free: true })));
    const takes = Array.from({ length: 5 }, () =>
      collection.findOneAndUpdate({ free: true }, { $set: { free: false } }),
    );
    const taken = (await Promise.all(takes)).flatMap((found) => found?._id ?? []);
    expect(taken.sort()).toEqual([-1, -2, -3]);
  });

  test('an upsert that finds nothing after a long search inserts once', async () => {
    const collection = await filled();
    await Promise.all(
      Array.from({ length: 5 }, () => collection.updateOne({ k: 1 }, { $inc: { n: 1 } }, { upsert: true })),
    );
    expect(await collection.find({ k: 1 }, { projection: { _id: 0 } }).toArray()).toEqual([{ k: 1, n: 5 }]);
  });

  test('an index that is built holds what is written meanwhile, and leaves out what goes', async () => {
    const collection = await filled();
    const [, inserted] = await Promise.all([
      collection.createIndex({ u: 1 }, { unique: true }),
      Promise.all(Array.from({ length: 30 }, (_, i) => collection.insertOne({ u: 10_000 + i }))),
      Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          collection.updateOne({ _id: (i * 100) as never }, { $set: { u: -1 - i } }),
        ),
      ),
      Promise.all(Array.from({ length: 30 }, (_, i) => collection.deleteOne({ _id: (i * 100 + 50) as never }))),
    ]);
    expect(inserted).toHaveLength(30);
    const scanned = (await collection.find({}).hint({ $natural: 1 }).toArray()).map(({ u }) => u).sort((a, b) => a - b);
    const read = await collection.find({}).hint({ u: 1 }).sort({ u: 1 }).toArray();
    expect(read.map(({ u }) => u)).toEqual(scanned);
    expect(await codeOf(collection.insertOne({ u: 10_000 }))).toBe(11000);
  });

  test('an index over duplicates far behind is not created, nor the others of its command', async () => {
    const collection = await filled();
    await collection.insertOne({ n: 1, u: 3999 });
    expect(await codeOf(collection.createIndexes([{ key: { n: 1 } }, { key: { u: 1 }, unique: true }]))).toBe(11000);
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    expect(await codeOf(collection.insertOne({ u: 3999 }))).toBe('no error');
  });
});

test('a store that is closed in the middle of a long request ends', async () => {
  const served = await serveHere(newDirectory());
  const client = await new MongoClient(served.uri).connect();
  const collection = client.db('t').collection('c');
  await collection.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n })));
  const long = [collection.countDocuments({ s: 'x' }), collection.updateMany({ n: { $gte: 0 } }, { $inc: { n: 1 } })];
  const outcomes = Promise.allSettled(long);
  // Once this is answered the others have begun.
  await client.db('t').command({ ping: 1 });
  await served.close();
  await client.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a start removes what an ended process left of an index that it was building', async () => {
  const directory = newDirectory();
  const begun = await openStore(directory);
  await begun.queue.run(() => {
    const collection = begun.catalogue.ensure('t.c');
    for (let i = 0; i < 120; i++) begun.catalogue.records.insert(collection, prepare(writeDoc(doc({ _id: i, a: i }))));
    const [number] = begun.catalogue.beginIndex(collection, doc({ key: { a: 1 }, unique: true }));
    begun.catalogue.continueIndex('t.c', number!, undefined, new Turn());
  });
  await begun.close();
  const started = await openStore(directory);
  const collection = started.catalogue.find('t.c')!;
  expect([collection.building, collection.indexes.length, collection.count]).toEqual([[], 1, 120]);
  expect(hasGarbage(started.engine)).toBe(true);
  await started.close();
  cleanUp();
});

test('a sort in turns is the sort at once, and equal ones stay in their order', () => {
  const items = Array.from({ length: 3500 }, (_, i) => ({ key: (i * 7919) % 100, i }));
  const order = (a: { key: number }, b: { key: number }) => a.key - b.key;
  const step = sortInTurns(items, order).next();
  expect(step).toEqual({ done: true, value: [...items].sort(order) });
});

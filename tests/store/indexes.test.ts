import { describe } from '@jest/globals';
import { Double, Long } from 'bson';
import { MongoServerError } from 'mongodb';
import { type Collection, codeOf, type Document, embedded, expect, expectSame, openDatabase, test } from './harness.ts';

const bench = openDatabase('indexes');

/** Number of documents that a find examines, and the name of the index it uses. */
async function looked(
  collection: Collection<Document>,
  filter: Document,
  options: Document = {},
): Promise<{ examined: number; plan: string }> {
  const cursor = collection.find(filter, options);
  const explained = await cursor.explain('executionStats');
  return {
    examined: explained.executionStats.totalDocsExamined,
    plan: JSON.stringify(explained.queryPlanner.winningPlan),
  };
}

async function failure(promise: Promise<unknown>): Promise<MongoServerError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('unique', () => {
  test('the error names key, value and index', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1, b: -1 }, { unique: true, name: 'mine' });
    await collection.insertOne({ a: 1, b: 'x' });
    const error = await failure(collection.insertOne({ a: 1, b: 'x' }));
    expect(error.code).toBe(11000);
    expect(error.keyPattern).toEqual({ a: 1, b: -1 });
    expect(error.keyValue).toEqual({ a: 1, b: 'x' });
    expect(error.message).toContain(
      `E11000 duplicate key error collection: ${collection.namespace} index: mine dup key: { a: 1, b: "x" }`,
    );
  });

  test.each<[string, unknown, unknown, boolean]>([
    ['the same number', 1, 1, true],
    ['a number of another type', 1, new Double(1), true],
    ['a long and an int', Long.fromNumber(5), 5, true],
    [
      'longs next to each other beyond doubles',
      Long.fromString('9007199254740992'),
      Long.fromString('9007199254740993'),
      false,
    ],
    ['a number and its text', 1, '1', false],
    ['two nulls', null, null, true],
    ['null and missing', null, undefined, true],
    ['arrays that share an element', [1, 2], [2, 3], true],
    ['arrays that do not', [1, 2], [3, 4], false],
    ['an element and a scalar', [1, 2], 2, true],
    ['documents', { x: 1 }, { x: 1 }, true],
    ['documents in another order', { x: 1, y: 2 }, { y: 2, x: 1 }, false],
    ['two empty arrays', [], [], true],
    ['an empty array and null', [], null, false],
    ['long texts with one beginning', `${'x'.repeat(3000)}a`, `${'x'.repeat(3000)}b`, false],
    ['the same long text', 'y'.repeat(3000), 'y'.repeat(3000), true],
    ['texts with zero bytes', 'a\0b', 'a\0c', false],
  ])('%s', async (_name, first, second, clash) => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    const doc = (a: unknown) => (a === undefined ? {} : { a });
    await collection.insertOne(doc(first));
    expect(await codeOf(collection.insertOne(doc(second)))).toBe(clash ? 11000 : 'no error');
    expect(await collection.countDocuments({})).toBe(clash ? 1 : 2);
  });

  test('an array may contain a value twice', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertOne({ a: [1, 1] });
  });

  test('an update may not create a duplicate either', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertMany([{ a: 1 }, { a: 2 }]);
    expect(await codeOf(collection.updateOne({ a: 2 }, { $set: { a: 1 } }))).toBe(11000);
    expect(await codeOf(collection.updateOne({ a: 2 }, { $set: { a: 2, b: 1 } }))).toBe('no error');
  });

  test('_id is unique', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 'x' as never });
    const error = await failure(collection.insertOne({ _id: 'x' as never }));
    expect([error.code, error.keyPattern, error.keyValue]).toEqual([11000, { _id: 1 }, { _id: 'x' }]);
  });

  test('an index over duplicates is not created', async () => {
    const collection = bench.fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true }))).toBe(11000);
    expect((await collection.indexes()).length).toBe(1);
    await collection.deleteOne({ a: 1 });
    await collection.createIndex({ a: 1 }, { unique: true });
  });

  test('of the indexes in one command all are created or none, nor the collection for them', async () => {
    const [collection, fresh] = [bench.fresh(), bench.fresh()];
    await collection.insertMany([{ a: 1 }, { a: 1 }]);
    const indexes = [
      { key: { b: 1 }, name: 'b_1' },
      { key: { a: 1 }, name: 'a_1', unique: true },
    ];
    const made = codeOf(bench.db.command({ createIndexes: collection.collectionName, indexes }));
    const others = Array.from({ length: 20 }, (_, n) => bench.fresh().insertOne({ n }));
    expect(await made).toBe(11000);
    expect((await Promise.all(others)).every(({ acknowledged }) => acknowledged)).toBe(true);
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await collection.insertOne({ a: 1, b: 1 });
    expect(await collection.countDocuments({ b: 1 })).toBe(1);
    const conflicting = [indexes[0], { key: { c: 1 }, name: 'b_1' }];
    expect(await codeOf(bench.db.command({ createIndexes: fresh.collectionName, indexes: conflicting }))).toBe(86);
    if (embedded) expect(await bench.db.listCollections({ name: fresh.collectionName }).toArray()).toEqual([]);
  });

  test('a released value may be used again', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertOne({ a: 1 });
    await collection.deleteOne({ a: 1 });
    await collection.insertOne({ a: 1 });
  });

  test('sparse leaves out documents without the field', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    await collection.insertMany([{}, {}, { a: 1 }]);
    expect(await codeOf(collection.insertOne({ a: 1 }))).toBe(11000);
    expect(await collection.countDocuments({ a: null })).toBe(2);
    expect(await collection.countDocuments({ a: { $exists: false } })).toBe(2);
    expect((await collection.find({}).sort({ a: 1 }).toArray()).length).toBe(3);
  });

  test('partial contains only what its filter matches', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { on: true } });
    await collection.insertMany([{ a: 1, on: true }, { a: 1, on: false }, { a: 1 }]);
    expect(await codeOf(collection.insertOne({ a: 1, on: true }))).toBe(11000);
    await collection.updateOne({ on: true }, { $set: { on: false } });
    await collection.insertOne({ a: 1, on: true });
    expect(await collection.countDocuments({ a: 1 })).toBe(4);
  });

  test('a compound index of documents in one array', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ 'a.x': 1, 'a.y': 1 }, { unique: true });
    await collection.insertOne({
      a: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
    });
    await collection.insertOne({ a: [{ x: 1, y: 2 }] });
    expect(await codeOf(collection.insertOne({ a: [{ x: 2, y: 2 }] }))).toBe(11000);
  });

  test('two arrays in one compound index are refused', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1, b: 1 });
    expect(await codeOf(collection.insertOne({ a: [1], b: [1] }))).toBe(171);
  });
});

describe('definitions', () => {
  test('an index is listed as it was created', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    await collection.createIndex({ b: -1, c: 1 }, { unique: true, sparse: true, name: 'bc' });
    await collection.createIndex({ d: 1 }, { expireAfterSeconds: 60 });
    await collection.createIndex({ e: 1 }, { partialFilterExpression: { e: { $gt: 5 } } });
    await collection.createIndex({ f: 1 }, { background: false });
    expectSame(await collection.indexes(), [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1 }, name: 'a_1' },
      { v: 2, key: { b: -1, c: 1 }, name: 'bc', unique: true, sparse: true },
      { v: 2, key: { d: 1 }, name: 'd_1', expireAfterSeconds: 60 },
      { v: 2, key: { e: 1 }, name: 'e_1', partialFilterExpression: { e: { $gt: 5 } } },
      { v: 2, key: { f: 1 }, name: 'f_1', background: false },
    ]);
  });

  test('creating one again changes nothing', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    const reply = await bench.db.command({
      createIndexes: collection.collectionName,
      indexes: [{ key: { a: 1 }, name: 'a_1' }],
    });
    expect([reply.numIndexesBefore, reply.numIndexesAfter]).toEqual([2, 2]);
  });

  test.each<[string, Document, number]>([
    ['the same key by another name', { key: { a: 1 }, name: 'other' }, 85],
    ['the same name with another key', { key: { b: 1 }, name: 'a_1' }, 86],
    ['the same name with other options', { key: { a: 1 }, name: 'a_1', unique: true }, 86],
    ['the same name with another expiry', { key: { a: 1 }, name: 'a_1', expireAfterSeconds: 5 }, 85],
    ['the same name, hidden', { key: { a: 1 }, name: 'a_1', hidden: true }, 85],
    ['no key', { name: 'x' }, 9],
    ['an empty key', { key: {}, name: 'x' }, 67],
    ['a direction of zero', { key: { z: 0 }, name: 'x' }, 67],
    ['an unknown kind', { key: { z: 'foo' }, name: 'x' }, 67],
    ['an unknown option', { key: { z: 1 }, name: 'x', foo: 1 }, 197],
    ['TTL over two fields', { key: { z: 1, y: 1 }, name: 'x', expireAfterSeconds: 1 }, 67],
    ['TTL below zero', { key: { z: 1 }, name: 'x', expireAfterSeconds: -1 }, 67],
    ['TTL of text', { key: { z: 1 }, name: 'x', expireAfterSeconds: 'a' }, embedded ? 67 : 14],
  ])('%s is refused', async (name, index, code) => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    expect([
      name,
      await codeOf(bench.db.command({ createIndexes: collection.collectionName, indexes: [index] })),
    ]).toEqual([name, code]);
  });

  test.each(['weights', 'wildcardProjection', 'storageEngine'])('an index with %s is refused', async (option) => {
    if (!embedded) return;
    const index = { key: { a: 1 }, name: 'a_1', [option]: { a: 1 } };
    expect(await codeOf(bench.db.command({ createIndexes: bench.fresh().collectionName, indexes: [index] }))).toBe(115);
  });

  test.each<[Document]>([
    [{ a: { $exists: false } }],
    [{ a: { $ne: 1 } }],
    [{ a: { $nin: [1] } }],
    [{ a: { $not: { $gt: 1 } } }],
    [{ a: { $regex: 'x' } }],
    [{ a: /x/ }],
    [{ a: { $size: 1 } }],
    [{ $and: [{ a: 1 }, { b: { $exists: false } }] }],
    [{ $nor: [{ a: 1 }] }],
  ])('a partial index of %j is refused', async (partialFilterExpression) => {
    const collection = bench.fresh();
    expect(await codeOf(collection.createIndex({ a: 1 }, { partialFilterExpression }))).toBe(67);
    if (embedded) expect(await bench.db.listCollections({ name: collection.collectionName }).toArray()).toEqual([]);
  });

  test('a partial index may combine what is allowed', async () => {
    const partialFilterExpression = {
      $and: [
        { a: { $exists: true } },
        { $or: [{ b: { $gt: 1 } }, { b: { $type: 'string' } }] },
        { c: { $in: [1, 2] } },
      ],
    };
    await bench.fresh().createIndex({ a: 1 }, { partialFilterExpression });
  });

  test('a unique index may exist beside a non-unique one', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    await collection.createIndex({ a: 1 }, { unique: true, name: 'one' });
    expect((await collection.indexes()).length).toBe(3);
    await collection.insertOne({ a: 1 });
    expect(await codeOf(collection.insertOne({ a: 1 }))).toBe(11000);
  });

  test('dropping', async () => {
    const collection = bench.fresh();
    await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }, { key: { d: 1 } }]);
    await collection.dropIndex('a_1');
    expect(await codeOf(collection.dropIndex('a_1'))).toBe(27);
    expect(await codeOf(collection.dropIndex('_id_'))).toBe(72);
    await bench.db.command({ dropIndexes: collection.collectionName, index: { b: 1 } });
    await bench.db.command({ dropIndexes: collection.collectionName, index: ['c_1'] });
    expect((await collection.indexes()).map((item) => item.name)).toEqual(['_id_', 'd_1']);
    await collection.dropIndexes();
    expect((await collection.indexes()).map((item) => item.name)).toEqual(['_id_']);
    expect(await codeOf(bench.db.command({ dropIndexes: 'nope', index: '*' }))).toBe(26);
  });

  test('listing of a missing collection', async () => {
    expect(await codeOf(bench.db.collection('nope').indexes())).toBe(26);
  });
});

describe('plans', () => {
  /** 200 documents: k 0..9, d 0..199, u unique text, tags of two. */
  async function filled(): Promise<Collection<Document>> {
    const collection = bench.fresh();
    await collection.insertMany(
      Array.from({ length: 200 }, (_, i) => ({
        _id: i as never,
        k: i % 10,
        d: i,
        u: `u${String(i).padStart(3, '0')}`,
        tags: [`t${i % 7}`, `s${i % 3}`],
      })),
    );
    return collection;
  }

  test.each<[string, Document, Document, number, Document?]>([
    ['_id', {}, { _id: 5 }, 1],
    ['_id by $in', {}, { _id: { $in: [5, 7, 999] } }, 2],
    ['equality', { k: 1 }, { k: 3 }, 20],
    ['$in', { k: 1 }, { k: { $in: [3, 4] } }, 40],
    ['a range', { d: 1 }, { d: { $gte: 10, $lt: 20 } }, 10],
    ['a range on a descending field', { d: -1 }, { d: { $gt: 10, $lte: 20 } }, 10],
    ['equality and range', { k: 1, d: 1 }, { k: 3, d: { $gt: 100 } }, 10],
    ['$in and range', { k: 1, d: 1 }, { k: { $in: [3, 4] }, d: { $gt: 150 } }, 10],
    ['equality on both fields', { k: 1, d: -1 }, { k: 3, d: 53 }, 1],
    ['a prefix of a compound index', { k: 1, d: 1 }, { k: 3 }, 20],
    ['a multikey index', { tags: 1 }, { tags: 't3' }, 29],
    ['text by its beginning', { u: 1 }, { u: /^u00/ }, 10],
    ['$or of two indexed fields', { k: 1, d: 1 }, { $or: [{ k: 3, d: 3 }, { _id: 8 }] }, 2],
    ['conditions within $and', { d: 1 }, { $and: [{ d: { $gte: 10 } }, { d: { $lt: 20 } }] }, 10],
    ['$eq', { d: 1 }, { d: { $eq: 7 } }, 1],
    ['$elemMatch leaves nothing out', { tags: 1 }, { tags: { $elemMatch: { $eq: 't3' } } }, 29],
  ])('%s reads no more than necessary', async (...[, index, filter, most]) => {
    const collection = await filled();
    if (Object.keys(index).length > 0) await collection.createIndex(index as never);
    const expected = (await collection.find(filter).hint({ $natural: 1 }).toArray()).map((item) => item._id).sort();
    expect((await collection.find(filter).toArray()).map((item) => item._id).sort()).toEqual(expected);
    if (JSON.stringify(filter).includes('elemMatch')) return;
    expect((await looked(collection, filter)).examined).toBeLessThanOrEqual(most);
  });

  test.each<[string, Document, Document, Document, number]>([
    ['the index order', { d: 1 }, {}, { d: 1 }, 5],
    ['the index backwards', { d: 1 }, {}, { d: -1 }, 5],
    ['after an equality', { k: 1, d: 1 }, { k: 3 }, { d: -1 }, 5],
    ['both directions turned', { k: 1, d: -1 }, {}, { k: -1, d: 1 }, 5],
    ['a range and its order', { d: 1 }, { d: { $gt: 50 } }, { d: 1 }, 5],
    ['_id', { d: 1 }, {}, { _id: -1 }, 5],
  ])('a sort with limit reads %s', async (_name, index, filter, sort, most) => {
    const collection = await filled();
    const expected = (
      await collection
        .find(filter)
        .hint({ $natural: 1 })
        .sort(sort as never)
        .limit(5)
        .toArray()
    ).map((item) => item._id);
    await collection.createIndex(index as never);
    const found = await collection
      .find(filter)
      .sort(sort as never)
      .limit(5)
      .toArray();
    expect(found.map((item) => item._id)).toEqual(expected);
    const { examined, plan } = await looked(collection, filter, { sort, limit: 5 });
    expect(examined).toBeLessThanOrEqual(most);
    expect(plan).not.toContain('"SORT"');
  });

  test('a multikey index does not provide an order', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    await collection.insertMany([
      { _id: 0 as never, a: [5, 1] },
      { _id: 1 as never, a: 3 },
      { _id: 2 as never, a: 2 },
    ]);
    expect((await collection.find({}).sort({ a: 1 }).toArray()).map((item) => item._id)).toEqual([0, 2, 1]);
    expect(
      (
        await collection
          .find({ a: { $gt: 0 } })
          .sort({ a: -1 })
          .toArray()
      ).map((item) => item._id),
    ).toEqual([0, 1, 2]);
  });

  test('an index stays multikey after a command that fails as a whole', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    await collection.createIndex({ t: 1 });
    const texts = ['e', 'a', 'd', 'f', 'c', 'b'].map((end) => 'x'.repeat(3000) + end);
    await collection.insertMany(texts.map((t, i) => ({ _id: i as never, a: i === 0 ? [5, 1] : 3, t })));
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true, name: 'one' }))).toBe(11000);
    const sorted = async (sort: Document) => (await collection.find({}).sort(sort).toArray()).map((item) => item._id);
    expect([await sorted({ a: -1 }), await sorted({ t: 1 })]).toEqual([
      [0, 1, 2, 3, 4, 5],
      [1, 5, 4, 2, 0, 3],
    ]);
  });

  test('a hint is followed, by name and by key', async () => {
    const collection = await filled();
    await collection.createIndex({ k: 1 });
    await collection.createIndex({ d: 1 });
    expect((await looked(collection, { k: 3, d: 3 }, { hint: 'k_1' })).plan).toContain('k_1');
    expect((await looked(collection, { k: 3, d: 3 }, { hint: { d: 1 } })).plan).toContain('d_1');
    expect((await looked(collection, { k: 3 }, { hint: { $natural: 1 } })).plan).toContain('COLLSCAN');
  });

  test('a hint to a missing index is refused everywhere', async () => {
    const collection = await filled();
    expect(await codeOf(collection.find({}, { hint: 'nope_1' }).toArray())).toBe(2);
    expect(await codeOf(collection.countDocuments({}, { hint: 'nope_1' }))).toBe(2);
    expect(await codeOf(collection.updateOne({ k: 1 }, { $set: { z: 1 } }, { hint: 'nope_1' }))).toBe(2);
    expect(await codeOf(collection.deleteOne({ k: 1 }, { hint: 'nope_1' }))).toBe(2);
    expect(await codeOf(collection.findOneAndUpdate({ k: 1 }, { $set: { z: 1 } }, { hint: 'nope_1' as never }))).toBe(
      2,
    );
  });

  test('a partial index is used only if it contains all results', async () => {
    const collection = await filled();
    await collection.createIndex({ d: 1 }, { partialFilterExpression: { k: { $gt: 4 } } });
    expect((await looked(collection, { d: { $lt: 50 }, k: { $gt: 6 } })).plan).toContain('d_1');
    expect((await looked(collection, { d: { $lt: 50 }, k: 7 })).plan).toContain('d_1');
    expect((await looked(collection, { d: { $lt: 50 } })).plan).toContain('COLLSCAN');
    expect((await looked(collection, { d: { $lt: 50 }, k: { $gt: 2 } })).plan).toContain('COLLSCAN');
    expect(await collection.countDocuments({ d: { $lt: 50 } })).toBe(50);
  });

  test('an index of a position leaves out nothing that a filter finds by name', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ 'l.0': 1 });
    await collection.insertMany([
      { _id: 1 as never, l: [{ y: 1 }] },
      { _id: 2 as never, l: [{ 0: 5 }] },
    ]);
    expect((await collection.find({ 'l.0': null }).toArray()).map((item) => item._id)).toEqual([1]);
    expect((await collection.find({ 'l.0': 5 }).toArray()).map((item) => item._id)).toEqual([2]);
  });

  test('a hidden index is not used', async () => {
    const collection = await filled();
    await collection.createIndex({ d: 1 }, { hidden: true });
    expect((await looked(collection, { d: 5 })).plan).toContain('COLLSCAN');
  });

  test('indexes follow updates and deletes', async () => {
    const collection = await filled();
    await collection.createIndex({ tags: 1 });
    await collection.updateMany({ tags: 't3' }, { $set: { tags: ['new'] } });
    expect(await collection.countDocuments({ tags: 't3' })).toBe(0);
    expect(await collection.countDocuments({ tags: 'new' })).toBe(29);
    await collection.deleteMany({ tags: 'new' });
    expect(await collection.countDocuments({ tags: 'new' })).toBe(0);
    expect(await collection.estimatedDocumentCount()).toBe(171);
  });
});

/** Random documents and filters: an index must find the same as a scan. */
describe('against a scan', () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  const value = (depth = 0): unknown =>
    [
      () => random(6),
      () => new Double(random(12) / 2),
      () => 'abc'[random(3)],
      () => null,
      () => Array.from({ length: random(4) }, () => value(1)),
      () => ({ x: random(3) }),
      () => random(2) === 0,
      () => new Date(random(3)),
    ][random(depth === 0 ? 8 : 5)]!();
  const scalar = () => [random(6), new Double(random(12) / 2), 'abc'[random(3)], null, new Date(random(3))][random(5)];
  const condition = (): unknown =>
    [
      () => scalar(),
      () => ({ $gt: scalar() }),
      () => ({ $gte: scalar(), $lt: scalar() }),
      () => ({ $in: [scalar(), scalar()] }),
      () => ({ $ne: scalar() }),
      () => ({ $lte: scalar() }),
      () => ({ $exists: random(2) === 0 }),
    ][random(7)]!();

  test.each(Array.from({ length: 12 }, (_, i) => [i]))('round %i', async (round) => {
    const collection = bench.fresh();
    const docs = Array.from({ length: 60 }, (_, _id) => {
      const doc: Document = { _id };
      if (random(8) > 0) doc.a = value();
      if (random(8) > 0) doc.b = Array.isArray(doc.a) ? scalar() : value();
      return doc;
    });
    await collection.insertMany(docs as never[]);
    await collection.createIndex(
      ([{ a: 1 }, { a: -1, b: 1 }, { b: 1, a: -1 }] as const)[round % 3] as never,
      round % 4 === 3 ? { sparse: true } : {},
    );
    for (let i = 0; i < 25; i++) {
      const filter: Document =
        i % 5 === 0
          ? { $or: [{ a: condition() }, { b: condition() }] }
          : { a: condition(), ...(i % 2 ? { b: condition() } : {}) };
      const sort = (
        [
          { a: 1, _id: 1 },
          { a: -1, b: 1, _id: 1 },
          { b: -1, _id: 1 },
        ] as const
      )[i % 3] as never;
      const scanned = await collection.find(filter).hint({ $natural: 1 }).sort(sort).toArray();
      const found = await collection.find(filter).sort(sort).toArray();
      expect([filter, found.map((item) => item._id)]).toEqual([filter, scanned.map((item) => item._id)]);
    }
  });
});

import { describe } from '@jest/globals';
import { Binary, Double, Int32, Long } from 'bson';
import type { MongoBulkWriteError } from 'mongodb';
import { doc } from '../../models/store/embedded/bson/value.ts';
import { Cursors, docStream } from '../../models/store/embedded/commands/cursors.ts';
import { codeOf, type Document, embedded, expect, expectSame, openDatabase, TYPED, test } from './harness.ts';

const bench = openDatabase('commands');

describe('insert', () => {
  test('an ObjectId is generated and comes first', async () => {
    const collection = bench.fresh();
    await bench.db.command({ insert: collection.collectionName, documents: [{ a: 1 }] });
    const found = (await collection.findOne({}))!;
    expect(Object.keys(found)).toEqual(['_id', 'a']);
    expect(found._id._bsontype).toBe('ObjectId');
  });

  test('_id moves to the front', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 1, _id: 7 as never });
    expectSame(await collection.findOne({}), { _id: 7, a: 1 });
  });

  test.each<[string, unknown]>([
    ['a document', { a: 1 }],
    ['text', ''],
    ['a number', 0],
    ['a boolean', false],
    ['binary', new Binary(Buffer.from('x'))],
  ])('_id may be %s', async (_name, id) => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: id as never, v: 1 });
    expect(await collection.countDocuments({ _id: id as never })).toBe(1);
    expect(await codeOf(collection.insertOne({ _id: id as never }))).toBe(11000);
  });

  test.each<[string, unknown]>([
    ['an array', [1]],
    ['a pattern', /x/],
  ])('_id may not be %s', async (_name, id) => {
    expect(await codeOf(bench.fresh().insertOne({ _id: id as never }))).toBe(53);
  });

  test('an _id that contains a dollar field is refused', async () => {
    expect(await codeOf(bench.fresh().insertOne({ _id: { $x: 1 } as never }))).toBe(52);
  });

  test('ordered stops at the first error', async () => {
    const collection = bench.fresh();
    const error = (await collection
      .insertMany([{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[])
      .catch((caught) => caught)) as MongoBulkWriteError;
    expect([error.code, error.result.insertedCount, await collection.countDocuments({})]).toEqual([11000, 1, 1]);
  });

  test('unordered continues', async () => {
    const collection = bench.fresh();
    const error = (await collection
      .insertMany([{ _id: 1 }, { _id: 1 }, { _id: 2 }] as never[], { ordered: false })
      .catch((caught) => caught)) as MongoBulkWriteError;
    expect([error.code, await collection.countDocuments({})]).toEqual([11000, 2]);
  });

  test('an empty batch is refused', async () => {
    expect(await codeOf(bench.db.command({ insert: bench.fresh().collectionName, documents: [] }))).toBe(16);
  });

  test('every type is returned as it was inserted', async () => {
    const collection = bench.fresh();
    const doc = {
      _id: 1,
      i: new Int32(1),
      d: new Double(1),
      l: Long.fromString('-9223372036854775808'),
      z: new Double(-0),
      n: new Double(Number.NaN),
      u: null,
      e: {},
      a: [],
      deep: [[[1]]],
      proto: 1,
    };
    await collection.insertOne(doc as never);
    expectSame(await collection.findOne({}, TYPED), doc);
  });

  test('field names of every kind', async () => {
    const collection = bench.fresh();
    const doc = { _id: 1, '2': 'b', '1': 'a', 'ä ö': 1, constructor: 1, 'x.y': 1, '': 1 };
    await collection.insertOne(doc as never);
    await collection.updateOne({}, { $set: { z: 1 } });
    expectSame(await collection.findOne({}), { ...doc, z: 1 });
  });

  test('__proto__ is an ordinary field', async () => {
    const collection = bench.fresh();
    const doc = JSON.parse('{"_id": 1, "__proto__": {"x": 1}}');
    await collection.insertOne(doc);
    await collection.updateOne({}, { $set: { a: 1 } });
    const found = (await collection.findOne({}, { projection: { a: 1, __proto__: undefined } }))!;
    expect(found.a).toBe(1);
  });

  test('write concern 0 is silent and in order', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never }, { writeConcern: { w: 0 } });
    let count = 0;
    for (let i = 0; i < 100 && count === 0; i++) count = await collection.countDocuments({});
    expect(count).toBe(1);
  });

  test('journaled writes are acknowledged', async () => {
    const result = await bench.fresh().insertOne({ a: 1 }, { writeConcern: { w: 1, j: true } });
    expect(result.acknowledged).toBe(true);
  });
});

describe('find and cursors', () => {
  async function many(n: number) {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: n }, (_, i) => ({ _id: i as never, pad: 'x'.repeat(100) })));
    return collection;
  }

  test('natural order is insertion order', async () => {
    const collection = bench.fresh();
    for (const _id of [5, 3, 9, 1]) await collection.insertOne({ _id: _id as never });
    expect((await collection.find({}).toArray()).map((item) => item._id)).toEqual([5, 3, 9, 1]);
  });

  test('the first batch has 101 documents', async () => {
    const collection = await many(300);
    const reply = await bench.db.command({ find: collection.collectionName, filter: {} });
    expect(reply.cursor.firstBatch.length).toBe(101);
    expect(reply.cursor.ns).toBe(collection.namespace);
    const more = await bench.db.command({
      getMore: reply.cursor.id,
      collection: collection.collectionName,
      batchSize: 50,
    });
    expect(more.cursor.nextBatch.length).toBe(50);
    const rest = await bench.db.command({ getMore: reply.cursor.id, collection: collection.collectionName });
    expect([rest.cursor.nextBatch.length, Number(rest.cursor.id)]).toEqual([149, 0]);
    expect(await codeOf(bench.db.command({ getMore: reply.cursor.id, collection: collection.collectionName }))).toBe(
      43,
    );
  });

  test.each([[1], [7], [100], [1000]])('all documents in batches of %i', async (batchSize) => {
    const collection = await many(250);
    const found = await collection.find({}, { batchSize: batchSize === 1 ? 2 : batchSize }).toArray();
    expect(found.map((item) => item._id)).toEqual(Array.from({ length: 250 }, (_, i) => i));
  });

  test('batchSize 0 returns a cursor and no documents', async () => {
    const collection = await many(5);
    const reply = await bench.db.command({ find: collection.collectionName, batchSize: 0 });
    expect([reply.cursor.firstBatch.length, Number(reply.cursor.id) !== 0]).toEqual([0, true]);
  });

  test('singleBatch closes the cursor', async () => {
    const collection = await many(5);
    const reply = await bench.db.command({ find: collection.collectionName, batchSize: 2, singleBatch: true });
    expect([reply.cursor.firstBatch.length, Number(reply.cursor.id)]).toEqual([2, 0]);
  });

  test('an idle cursor is closed after ten minutes, unless it was opened without a timeout', async () => {
    for (const noCursorTimeout of [false, true]) {
      const cursors = new Cursors();
      const asked = doc({ batchSize: 1, noCursorTimeout });
      await cursors.first('t.c', docStream([doc({ a: 1 }), doc({ a: 2 })]), asked);
      cursors.expire(Date.now() + 9 * 60_000);
      expect(cursors.open.size).toBe(1);
      cursors.expire(Date.now() + 11 * 60_000);
      expect(cursors.open.size).toBe(noCursorTimeout ? 1 : 0);
    }
  });

  test('killCursors', async () => {
    const collection = await many(5);
    const reply = await bench.db.command({ find: collection.collectionName, batchSize: 2 });
    const killed = await bench.db.command({
      killCursors: collection.collectionName,
      cursors: [reply.cursor.id, Long.fromNumber(12345)],
    });
    expect([killed.cursorsKilled.length, killed.cursorsNotFound.length]).toEqual([1, 1]);
    expect(await codeOf(bench.db.command({ getMore: reply.cursor.id, collection: collection.collectionName }))).toBe(
      43,
    );
  });

  test('limit and skip', async () => {
    const collection = await many(20);
    expect((await collection.find({}).skip(3).limit(4).toArray()).map((item) => item._id)).toEqual([3, 4, 5, 6]);
    expect((await collection.find({}).limit(-3).toArray()).length).toBe(3);
    expect(await collection.countDocuments({}, { skip: 15, limit: 10 })).toBe(5);
    expect((await collection.find({}).skip(50).toArray()).length).toBe(0);
  });

  test('a cursor continues while documents come and go', async () => {
    const collection = await many(300);
    const cursor = collection.find({}, { batchSize: 50 });
    await cursor.next();
    await collection.deleteMany({ _id: { $gte: 250 } as never });
    const seen = 1 + (await cursor.toArray()).length;
    expect(seen).toBeGreaterThanOrEqual(250);
    expect(seen).toBeLessThanOrEqual(300);
  });

  test('documents of many megabytes', async () => {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: 4 }, (_, i) => ({ _id: i as never, big: 'x'.repeat(3_000_000) })));
    const found = await collection.find({}).toArray();
    expect(found.map((item) => item.big.length)).toEqual([3_000_000, 3_000_000, 3_000_000, 3_000_000]);
  });

  test('a document above 16 MB is refused', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never, a: 'x'.repeat(9_000_000) });
    const result = await codeOf(collection.updateOne({}, { $set: { b: 'x'.repeat(9_000_000) } }));
    expect([10334, 17419]).toContain(result);
  });

  test('a tailable cursor is refused', async () => {
    const collection = await many(1);
    expect(await codeOf(bench.db.command({ find: collection.collectionName, tailable: true }))).toBe(2);
  });

  test('negative numbers are refused', async () => {
    const collection = await many(1);
    expect(await codeOf(bench.db.command({ find: collection.collectionName, skip: -1 }))).toBe(51024);
    expect(await codeOf(bench.db.command({ find: collection.collectionName, batchSize: -1 }))).not.toBe('no error');
    expect(await codeOf(bench.db.command({ listCollections: 1, cursor: { batchSize: -1 } }))).toBe(51024);
  });
});

describe('findAndModify', () => {
  test.each<[string, Document, Document | null, Document[]]>([
    [
      'before',
      { query: { a: 1 }, update: { $set: { b: 1 } } },
      { _id: 1, a: 1 },
      [
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 2 },
      ],
    ],
    [
      'after',
      { query: { a: 1 }, update: { $set: { b: 1 } }, new: true },
      { _id: 1, a: 1, b: 1 },
      [
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 2 },
      ],
    ],
    ['remove', { query: { a: 1 }, remove: true }, { _id: 1, a: 1 }, [{ _id: 2, a: 2 }]],
    [
      'sort',
      { query: {}, sort: { a: -1 }, update: { $inc: { a: 10 } }, new: true },
      { _id: 2, a: 12 },
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 12 },
      ],
    ],
    [
      'fields',
      { query: { a: 1 }, update: { $set: { b: 1 } }, new: true, fields: { b: 1, _id: 0 } },
      { b: 1 },
      [
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 2 },
      ],
    ],
    [
      'a replacement',
      { query: { a: 1 }, update: { z: 1 }, new: true },
      { _id: 1, z: 1 },
      [
        { _id: 1, z: 1 },
        { _id: 2, a: 2 },
      ],
    ],
    [
      'no match',
      { query: { a: 9 }, update: { $set: { b: 1 } } },
      null,
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 2 },
      ],
    ],
    [
      'no match to remove',
      { query: { a: 9 }, remove: true },
      null,
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 2 },
      ],
    ],
    [
      'upsert',
      { query: { _id: 3 }, update: { $set: { b: 1 } }, upsert: true, new: true },
      { _id: 3, b: 1 },
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 2 },
        { _id: 3, b: 1 },
      ],
    ],
    [
      'upsert, before',
      { query: { _id: 3 }, update: { $set: { b: 1 } }, upsert: true },
      null,
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 2 },
        { _id: 3, b: 1 },
      ],
    ],
  ])('%s', async (_name, command, value, after) => {
    const collection = bench.fresh();
    await collection.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ] as never[]);
    const reply = await bench.db.command({ findAndModify: collection.collectionName, ...command });
    expectSame(reply.value, value);
    expectSame(await collection.find({}).sort({ _id: 1 }).toArray(), after);
  });

  test('lastErrorObject', async () => {
    const collection = bench.fresh();
    const run = (command: Document) => bench.db.command({ findAndModify: collection.collectionName, ...command });
    expect((await run({ query: { _id: 1 }, update: { $set: { a: 1 } }, upsert: true })).lastErrorObject).toEqual({
      n: 1,
      updatedExisting: false,
      upserted: 1,
    });
    expect((await run({ query: { _id: 1 }, update: { $set: { a: 2 } } })).lastErrorObject).toEqual({
      n: 1,
      updatedExisting: true,
    });
    expect((await run({ query: { _id: 9 }, update: { $set: { a: 2 } } })).lastErrorObject).toEqual({
      n: 0,
      updatedExisting: false,
    });
    expect((await run({ query: { _id: 1 }, remove: true })).lastErrorObject).toEqual({ n: 1 });
  });

  test.each<[string, Document]>([
    ['update and remove', { query: {}, update: { $set: { a: 1 } }, remove: true }],
    ['neither', { query: {} }],
    ['new and remove', { query: {}, remove: true, new: true }],
    ['upsert and remove', { query: {}, remove: true, upsert: true }],
  ])('%s is refused', async (_name, command) => {
    expect(await codeOf(bench.db.command({ findAndModify: bench.fresh().collectionName, ...command }))).toBe(9);
  });

  test('concurrent calls each get a different document', async () => {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: 40 }, (_, n) => ({ n, taken: false })));
    const found = await Promise.all(
      Array.from({ length: 50 }, () =>
        collection.findOneAndUpdate({ taken: false }, { $set: { taken: true } }, { sort: { n: 1 } }),
      ),
    );
    const taken = found.filter((item) => item !== null).map((item) => item!.n);
    expect(new Set(taken).size).toBe(40);
    expect(taken.length).toBe(40);
  });

  test('a counter loses nothing', async () => {
    const collection = bench.fresh();
    await Promise.all(
      Array.from({ length: 60 }, () =>
        collection
          .findOneAndUpdate({ _id: 'c' as never }, { $inc: { n: 1 } }, { upsert: true })
          .catch((error) =>
            error.code === 11000
              ? collection.updateOne({ _id: 'c' as never }, { $inc: { n: 1 } })
              : Promise.reject(error),
          ),
      ),
    );
    expect((await collection.findOne({ _id: 'c' as never }))!.n).toBe(60);
  });
});

describe('delete, count, distinct', () => {
  test('deleteOne and deleteMany', async () => {
    const collection = bench.fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }, { a: 2 }]);
    expect((await collection.deleteOne({ a: 1 })).deletedCount).toBe(1);
    expect((await collection.deleteMany({})).deletedCount).toBe(2);
    expect((await collection.deleteMany({})).deletedCount).toBe(0);
  });

  test('a limit of 2 is refused', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 1 });
    const reply = await codeOf(
      bench.db
        .command({ delete: collection.collectionName, deletes: [{ q: {}, limit: 2 }] })
        .then((done) =>
          Promise.reject(
            done.writeErrors?.[0] ? Object.assign(new Error(), { found: done.writeErrors[0].code }) : new Error('none'),
          ),
        ),
    );
    expect(String(reply)).toContain('Error');
  });

  test('count', async () => {
    const collection = bench.fresh();
    await collection.insertMany([{ a: 1 }, { a: 1 }, { a: 2 }]);
    expect(await collection.countDocuments({ a: 1 })).toBe(2);
    expect(await collection.estimatedDocumentCount()).toBe(3);
    expect((await bench.db.command({ count: collection.collectionName, query: { a: 1 }, limit: 1 })).n).toBe(1);
    expect((await bench.db.command({ count: 'nope' })).n).toBe(0);
    expect(await bench.db.collection('nope').countDocuments({})).toBe(0);
  });

  test.each<[string, unknown[], string, Document, unknown[]]>([
    ['values in order', [3, 1, 2, 1], 'a', {}, [1, 2, 3]],
    ['of arrays their elements', [[1, 2], [2, 3], 4], 'a', {}, [1, 2, 3, 4]],
    ['with a filter', [1, 2, 3], 'a', { a: { $gt: 1 } }, [2, 3]],
    ['of a path', [{ b: 1 }, { b: 2 }, {}], 'a.b', {}, [1, 2]],
    ['of a path in arrays', [[{ b: 1 }, { b: 2 }]], 'a.b', {}, [1, 2]],
    ['equal numbers once', [1, new Double(1), Long.ONE], 'a', {}, [1]],
    ['null is a value', [null, 1], 'a', {}, [null, 1]],
    ['documents', [{ x: 1 }, { x: 1 }], 'a', {}, [{ x: 1 }]],
  ])('distinct: %s', async (_name, values, key, filter, expected) => {
    const collection = bench.fresh();
    await collection.insertMany(values.map((a) => ({ a })));
    expect(await collection.distinct(key, filter)).toEqual(expected);
  });
});

describe('writes to very many documents', () => {
  const DOCS = 3500;
  const filled = async () => {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: DOCS }, (_, i) => ({ _id: i as never, n: 0, k: i % 2 })));
    return collection;
  };

  test('updateMany changes each of them once, and lets other work run in between', async () => {
    const collection = await filled();
    await collection.createIndex({ n: 1 });
    const long = collection.updateMany({ n: { $lt: 2 } }, { $inc: { n: 1 } });
    const short = bench.fresh().insertOne({ a: 1 });
    const [result] = await Promise.all([long, short]);
    expect([result.matchedCount, result.modifiedCount, result.upsertedCount]).toEqual([DOCS, DOCS, 0]);
    expect(await collection.countDocuments({ n: 1 })).toBe(DOCS);
  });

  test('deleteMany removes all that match', async () => {
    const collection = await filled();
    expect((await collection.deleteMany({ k: 1 })).deletedCount).toBe(DOCS / 2);
    expect([await collection.countDocuments({}), await collection.estimatedDocumentCount()]).toEqual([
      DOCS / 2,
      DOCS / 2,
    ]);
  });

  test('an error in the middle ends the statement, and earlier changes stay', async () => {
    const collection = await filled();
    await collection.createIndex({ u: 1 }, { unique: true, sparse: true });
    await collection.updateOne({ _id: 2000 as never }, { $set: { n: 'text' } });
    expect(await codeOf(collection.updateMany({}, { $inc: { n: 1 } }))).toBe(14);
    expect(await collection.countDocuments({ n: 1 })).toBe(2000);
    expect(await collection.countDocuments({ n: 0 })).toBe(DOCS - 2001);
  });

  test('several statements in one command each have their own outcome', async () => {
    const collection = await filled();
    const reply = await bench.db.command({
      update: collection.collectionName,
      ordered: false,
      updates: [
        { q: { k: 0 }, u: { $set: { n: 1 } }, multi: true },
        { q: {}, u: { $foo: { n: 1 } } },
        { q: { k: 1 }, u: { $set: { n: 2 } }, multi: true },
        { q: { _id: -1 }, u: { $set: { n: 3 } }, upsert: true },
      ],
    });
    expect([reply.n, reply.nModified, reply.upserted]).toEqual([DOCS + 1, DOCS, [{ index: 3, _id: -1 }]]);
    expect(reply.writeErrors.map((error: Document) => [error.index, error.code])).toEqual([[1, 9]]);
  });
});

describe('collections and databases', () => {
  test('create, list and drop', async () => {
    const name = bench.fresh().collectionName;
    await bench.db.createCollection(name);
    const listed = await bench.db.listCollections({ name }).toArray();
    expect([
      listed.length,
      listed[0]!.type,
      (listed[0] as Document).info.readOnly,
      (listed[0] as Document).idIndex.name,
    ]).toEqual([1, 'collection', false, '_id_']);
    expect(await bench.db.collection(name).drop()).toBe(true);
    expect(await bench.db.listCollections({ name }).toArray()).toEqual([]);
    await bench.db.collection(name).drop();
  });

  test('creating an existing one again changes nothing', async () => {
    const name = bench.fresh().collectionName;
    await bench.db.createCollection(name);
    await bench.db.collection(name).insertOne({ a: 1 });
    await bench.db.createCollection(name);
    expect(await bench.db.collection(name).countDocuments({})).toBe(1);
  });

  test('a dropped collection stays empty when its name is used again', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    await collection.insertMany(Array.from({ length: 500 }, (_, a) => ({ a })));
    await collection.drop();
    expect(await collection.countDocuments({})).toBe(0);
    await collection.insertOne({ a: 1 });
    expect([await collection.countDocuments({ a: 1 }), (await collection.indexes()).length]).toEqual([1, 1]);
  });

  test.each<[string, number]>([
    ['a$b', 73],
    ['.a', 73],
    ['a.', 73],
    ['', 73],
  ])('the name "%s" is refused', async (name, code) => {
    expect(await codeOf(bench.db.command({ insert: name, documents: [{ a: 1 }] }))).toBe(code);
  });

  test('listDatabases and dropDatabase', async () => {
    const other = bench.db.client.db('store_commands_other');
    await other.collection('x').insertOne({ a: 1 });
    const names = async () =>
      (await bench.db.admin().listDatabases({ nameOnly: true })).databases.map((item) => item.name);
    expect(await names()).toContain('store_commands_other');
    await other.dropDatabase();
    expect(await names()).not.toContain('store_commands_other');
  });
});

describe('the server', () => {
  test('hello', async () => {
    const reply = await bench.db.admin().command({ hello: 1 });
    expect([reply.isWritablePrimary, reply.maxBsonObjectSize, reply.ok]).toEqual([true, 16777216, 1]);
    expect(reply.maxWireVersion).toBeGreaterThanOrEqual(21);
  });

  test('ping, buildInfo, serverStatus', async () => {
    expect((await bench.db.command({ ping: 1 })).ok).toBe(1);
    expect((await bench.db.admin().command({ buildInfo: 1 })).versionArray.length).toBe(4);
    expect((await bench.db.admin().command({ serverStatus: 1 })).ok).toBe(1);
  });

  test('an unknown command', async () => {
    expect(await codeOf(bench.db.command({ fooBar: 1 }))).toBe(59);
  });

  test('a transaction on a standalone is refused, and writes nothing', async () => {
    const collection = bench.fresh();
    if (!embedded) return;
    const insert = {
      insert: collection.collectionName,
      documents: [{ a: 1 }],
      txnNumber: Long.ONE,
      startTransaction: true,
      autocommit: false,
    };
    expect(await codeOf(bench.db.command(insert))).toBe(20);
    expect(await collection.countDocuments({})).toBe(0);
  });

  test('a change stream on a standalone is refused', async () => {
    if (!embedded) return;
    const stream = bench.fresh().watch();
    await expect(stream.next()).rejects.toThrow();
    await stream.close();
  });

  test.each<[string, Document]>([
    ['$where', { $where: 'true' }],
    ['$text', { $text: { $search: 'x' } }],
    ['$jsonSchema', { $jsonSchema: {} }],
    ['$near', { a: { $near: [0, 0] } }],
  ])('%s is refused with a sentence', async (_name, filter) => {
    if (!embedded) return;
    const collection = bench.fresh();
    await collection.insertOne({ a: 1 });
    expect(await codeOf(collection.find(filter).toArray())).toBe(115);
  });

  test.each<[string, Document]>([
    ['capped', { capped: true, size: 1000 }],
    ['views', { viewOn: 'x', pipeline: [] }],
    ['time series', { timeseries: { timeField: 't' } }],
    ['validators', { validator: { a: 1 } }],
  ])('%s are refused with a sentence', async (_name, options) => {
    if (!embedded) return;
    expect(await codeOf(bench.db.createCollection(bench.fresh().collectionName, options))).toBe(115);
  });

  test.each<[string, Document]>([
    ['find', { find: 'c', foo: 1 }],
    ['aggregate', { aggregate: 'c', pipeline: [], cursor: {}, foo: 1 }],
    ['insert', { insert: 'c', documents: [{}], foo: 1 }],
    ['update', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, foo: 1 }] }],
    ['delete', { delete: 'c', deletes: [{ q: {}, limit: 1, foo: 1 }] }],
    ['a cursor', { aggregate: 'c', pipeline: [], cursor: { foo: 1 } }],
    ['create', { create: 'c', foo: 1 }],
    ['createIndexes', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a_1' }], foo: 1 }],
    ['dropIndexes', { dropIndexes: 'c', index: '*', foo: 1 }],
    ['listIndexes', { listIndexes: 'c', foo: 1 }],
    ['listCollections', { listCollections: 1, foo: 1 }],
    ['ping', { ping: 1, foo: 1 }],
  ])('an unknown field of %s is refused', async (_name, command) => {
    expect(await codeOf(bench.db.command(command))).toBe(40415);
  });

  test('a write concern of two on a standalone is refused', async () => {
    for (const w of embedded ? [2, 'elsewhere'] : [])
      expect(await codeOf(bench.fresh().insertOne({ a: 1 }, { writeConcern: { w: w as number } }))).toBe(2);
  });

  test.each<[Document, number]>([
    [{ readConcern: { level: 'sideways' } }, 9],
    [{ readConcern: { foo: 1 } }, 40415],
    [{ txnNumber: Long.fromNumber(1) }, 20],
  ])('a find with %j is refused', async (part, code) => {
    if (embedded) expect(await codeOf(bench.db.command({ find: 'c', ...part }))).toBe(code);
  });

  test.each([
    ['two repetitions', 'x*x*y', 100_000],
    ['one repetition', '[^z]+y', 1_000_000],
  ])('a pattern of %s on a long text does not block the server', async (_name, pattern, length) => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 'x'.repeat(length) });
    const code = await codeOf(collection.findOne({ a: { $regex: pattern } }));
    if (embedded) expect(code).toBe(51156);
  });

  test('maxTimeMS ends a search', async () => {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: 3000 }, (_, i) => ({ i, s: 'x'.repeat(200) })));
    // A pattern that takes a while for each text.
    const filter = { s: { $regex: 'x*x*y' } };
    expect(await codeOf(collection.find(filter, { maxTimeMS: 5 }).toArray())).toBe(50);
    expect(await codeOf(collection.countDocuments(filter, { maxTimeMS: 5 }))).toBe(50);
    expect(await codeOf(collection.updateMany(filter, { $set: { n: 1 } }, { maxTimeMS: 5 }))).toBe(50);
    expect(await codeOf(collection.deleteMany(filter, { maxTimeMS: 5 }))).toBe(50);
    expect(await collection.countDocuments({ n: { $exists: false } })).toBe(3000);
  });

  test('explain names the plan', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 1 });
    await collection.createIndex({ a: 1 });
    expect(
      JSON.stringify((await collection.find({ a: 1 }).explain('queryPlanner')).queryPlanner.winningPlan),
    ).toContain('a_1');
  });
});

describe('bulkWrite', () => {
  test('in one collection', async () => {
    const collection = bench.fresh();
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 1 as never, a: 1 } } },
      { updateOne: { filter: { a: 1 }, update: { $set: { a: 2 } } } },
      { updateOne: { filter: { a: 9 }, update: { $set: { b: 1 } }, upsert: true } },
      { replaceOne: { filter: { a: 2 }, replacement: { a: 3 } } },
      { deleteOne: { filter: { a: 9 } } },
    ]);
    expect([result.insertedCount, result.modifiedCount, result.upsertedCount, result.deletedCount]).toEqual([
      1, 2, 1, 1,
    ]);
    expectSame(await collection.find({}).toArray(), [{ _id: 1, a: 3 }]);
  });

  test('an error in the middle ends an ordered one', async () => {
    const collection = bench.fresh();
    await collection
      .bulkWrite([
        { insertOne: { document: { _id: 1 as never } } },
        { insertOne: { document: { _id: 1 as never } } },
        { insertOne: { document: { _id: 2 as never } } },
      ])
      .catch(() => undefined);
    expect(await collection.countDocuments({})).toBe(1);
  });
});

/** With a MongoDB, this needs a replica set. */
const ofOneMoment = embedded ? describe : describe.skip;
ofOneMoment('a session that reads at one moment', () => {
  const begin = () => bench.db.client.startSession({ snapshot: true });

  test('a snapshot read sees nothing written, dropped or created after its first read, over any number of batches', async () => {
    const [docs, gone, later] = [bench.fresh(), bench.fresh(), bench.fresh()];
    await docs.insertMany(Array.from({ length: 500 }, (_, n) => ({ n, v: 0 })));
    await docs.createIndex({ n: 1 });
    await gone.insertOne({ a: 1 });
    const session = begin();
    expect(await docs.countDocuments({})).toBe(500);
    const cursor = docs.find({}, { session, batchSize: 7 });
    await cursor.next();
    await docs.updateMany({}, { $set: { v: 1 } });
    await docs.deleteMany({ n: { $gte: 250 } });
    await docs.insertOne({ n: -1, v: 1 });
    await docs.dropIndex('n_1');
    await gone.drop();
    await later.insertOne({ a: 1 });
    const rest = await cursor.toArray();
    expect({ length: rest.length, v: new Set(rest.map(({ v }) => v)) }).toEqual({ length: 499, v: new Set([0]) });
    const sorted = await docs
      .find({ n: { $gte: 240, $lt: 260 } }, { session })
      .sort({ n: 1 })
      .toArray();
    expect(sorted.map(({ n, v }) => [n, v])).toEqual(Array.from({ length: 20 }, (_, i) => [240 + i, 0]));
    expect(await gone.findOne({}, { session })).toMatchObject({ a: 1 });
    expect(await later.findOne({}, { session })).toBeNull();
    expect(await docs.countDocuments({})).toBe(251);
    await session.endSession();
  });

  test('each session has its own snapshot, which is released when it ends', async () => {
    const collection = bench.fresh();
    await collection.insertMany(Array.from({ length: 300 }, (_, n) => ({ n })));
    const [first, second] = [begin(), begin()];
    const cursor = collection.find({}, { session: first, batchSize: 10 });
    await cursor.next();
    await collection.deleteMany({ n: { $lt: 100 } });
    expect(await collection.find({}, { session: second }).toArray()).toHaveLength(200);
    expect(await collection.find({}, { session: first }).toArray()).toHaveLength(300);
    await bench.db.admin().command({ endSessions: [first.id] });
    expect(await codeOf(cursor.toArray())).toBe(239);
    expect(await codeOf(collection.findOne({}, { session: first }))).toBe(239);
    expect(await collection.find({}, { session: second }).toArray()).toHaveLength(200);
    await Promise.all([first.endSession(), second.endSession()]);
  });

  test('snapshot reads are refused where they would not hold: in other commands, and without a session', async () => {
    const collection = bench.fresh();
    const session = begin();
    expect(await codeOf(collection.aggregate([], { session }).toArray())).toBe(72);
    expect(await codeOf(collection.distinct('a', {}, { session }))).toBe(72);
    expect(await codeOf(collection.insertOne({ a: 1 }, { session }))).toBe(72);
    await session.endSession();
  });
});

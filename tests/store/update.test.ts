import { describe } from '@jest/globals';
import { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { codeOf, type Document, expect, expectSame, openDatabase, TYPED, test } from './harness.ts';

const bench = openDatabase('update');

type Case = [name: string, before: Document, update: Document, after: Document];

function changes(title: string, cases: Case[]): void {
  describe(title, () => {
    test.each(cases)('%s', async (_name, before, update, after) => {
      const collection = bench.fresh();
      await collection.insertOne({ _id: 1 as never, ...before });
      const result = await collection.updateOne({ _id: 1 as never }, update);
      expect(result.matchedCount).toBe(1);
      const found = await collection.findOne({}, TYPED);
      expectSame(found, { _id: 1, ...after });
    });
  });
}

const max = Long.MAX_VALUE;
const oid = new ObjectId();

changes('$set and $unset', [
  ['a new field goes last', { a: 1 }, { $set: { b: 2 } }, { a: 1, b: 2 }],
  ['an old field keeps its place', { a: 1, b: 2 }, { $set: { a: 3 } }, { a: 3, b: 2 }],
  ['new fields by name', {}, { $set: { c: 1, b: 1, a: 1 } }, { a: 1, b: 1, c: 1 }],
  ['numeric names by value', {}, { $set: { 'a.10': 1, 'a.2': 1 } }, { a: { 2: 1, 10: 1 } }],
  ['a dotted path makes documents', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['into a document', { a: { x: 1, y: 2 } }, { $set: { 'a.x': 5 } }, { a: { x: 5, y: 2 } }],
  ['an element of an array', { a: [1, 2, 3] }, { $set: { 'a.1': 9 } }, { a: [1, 9, 3] }],
  ['beyond an array', { a: [1] }, { $set: { 'a.3': 9 } }, { a: [1, null, null, 9] }],
  ['a field of an element', { a: [{ x: 1 }, { x: 2 }] }, { $set: { 'a.1.x': 9 } }, { a: [{ x: 1 }, { x: 9 }] }],
  ['a new element with a field', { a: [] }, { $set: { 'a.0.x': 1 } }, { a: [{ x: 1 }] }],
  [
    'other types stay as they are',
    {
      i: new Int32(1),
      d: new Double(1),
      l: Long.ONE,
      m: Decimal128.fromString('1.0'),
      o: oid,
      b: new Binary(Buffer.from('x'), 5),
      t: new Timestamp({ t: 1, i: 2 }),
      n: null,
    },
    { $set: { z: 1 } },
    {
      i: new Int32(1),
      d: new Double(1),
      l: Long.ONE,
      m: Decimal128.fromString('1.0'),
      o: oid,
      b: new Binary(Buffer.from('x'), 5),
      t: new Timestamp({ t: 1, i: 2 }),
      n: null,
      z: 1,
    },
  ],
  ['the same _id', { a: 1 }, { $set: { _id: 1, a: 2 } }, { a: 2 }],
  ['of nothing', { a: 1 }, { $set: {} }, { a: 1 }],
  ['a document as a whole', { a: { x: 1 } }, { $set: { a: { y: 1 } } }, { a: { y: 1 } }],
  ['$unset', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
  ['$unset of a missing field', { a: 1 }, { $unset: { b: 1 } }, { a: 1 }],
  ['$unset of a missing path', { a: 1 }, { $unset: { 'b.c': 1 } }, { a: 1 }],
  ['$unset inside', { a: { x: 1, y: 2 } }, { $unset: { 'a.x': 1 } }, { a: { y: 2 } }],
  ['$unset of an element leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }],
  ['$unset through a scalar', { a: 1 }, { $unset: { 'a.b': 1 } }, { a: 1 }],
  ['$setOnInsert does nothing here', { a: 1 }, { $setOnInsert: { b: 1 }, $set: { a: 2 } }, { a: 2 }],
]);

changes('numbers', [
  ['$inc of an int', { a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
  ['$inc of a missing field', {}, { $inc: { a: 2 } }, { a: 2 }],
  ['$inc below zero', { a: 1 }, { $inc: { a: -3 } }, { a: -2 }],
  ['int and double give double', { a: 1 }, { $inc: { a: new Double(0.5) } }, { a: new Double(1.5) }],
  ['int and whole double give double', { a: 1 }, { $inc: { a: new Double(1) } }, { a: new Double(2) }],
  ['double stays double', { a: new Double(1) }, { $inc: { a: 1 } }, { a: new Double(2) }],
  ['int and long give long', { a: 1 }, { $inc: { a: Long.ONE } }, { a: Long.fromNumber(2) }],
  ['an int that overflows becomes long', { a: 2147483647 }, { $inc: { a: 1 } }, { a: Long.fromNumber(2147483648) }],
  [
    'longs are exact',
    { a: Long.fromString('9007199254740993') },
    { $inc: { a: 2 } },
    { a: Long.fromString('9007199254740995') },
  ],
  [
    'decimals',
    { a: Decimal128.fromString('0.1') },
    { $inc: { a: Decimal128.fromString('0.2') } },
    { a: Decimal128.fromString('0.3') },
  ],
  ['decimal and int', { a: Decimal128.fromString('1.5') }, { $inc: { a: 1 } }, { a: Decimal128.fromString('2.5') }],
  ['$inc in a path', { a: { b: 1 } }, { $inc: { 'a.b': 1 } }, { a: { b: 2 } }],
  ['$inc of an element', { a: [1, 2] }, { $inc: { 'a.0': 5 } }, { a: [6, 2] }],
  ['$min takes the smaller', { a: 5 }, { $min: { a: 3 } }, { a: 3 }],
  ['$min keeps the smaller', { a: 5 }, { $min: { a: 7 } }, { a: 5 }],
  ['$min of a missing field', {}, { $min: { a: 7 } }, { a: 7 }],
  ['$max takes the larger', { a: 5 }, { $max: { a: 7 } }, { a: 7 }],
  ['$max keeps the larger', { a: 5 }, { $max: { a: 3 } }, { a: 5 }],
  ['$max across types', { a: 5 }, { $max: { a: 'x' } }, { a: 'x' }],
  ['$min across types', { a: 'x' }, { $min: { a: 5 } }, { a: 5 }],
  ['$max of dates', { a: new Date(5) }, { $max: { a: new Date(9) } }, { a: new Date(9) }],
]);

changes('arrays', [
  ['$push', { a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
  ['$push makes an array', {}, { $push: { a: 2 } }, { a: [2] }],
  ['$push of an array is one element', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  ['$each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  ['$position', { a: [1, 4] }, { $push: { a: { $each: [2, 3], $position: 1 } } }, { a: [1, 2, 3, 4] }],
  ['$position from the end', { a: [1, 2, 3] }, { $push: { a: { $each: [9], $position: -1 } } }, { a: [1, 2, 9, 3] }],
  ['$slice from the start', { a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: 3 } } }, { a: [1, 2, 3] }],
  ['$slice from the end', { a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -2 } } }, { a: [3, 4] }],
  ['$slice 0', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 0 } } }, { a: [] }],
  ['$push in a path', { a: { b: [1] } }, { $push: { 'a.b': 2 } }, { a: { b: [1, 2] } }],
  ['$addToSet adds', { a: [1] }, { $addToSet: { a: 2 } }, { a: [1, 2] }],
  ['$addToSet keeps', { a: [1] }, { $addToSet: { a: 1 } }, { a: [1] }],
  ['$addToSet knows equal numbers', { a: [1] }, { $addToSet: { a: new Double(1) } }, { a: [1] }],
  ['$addToSet $each', { a: [1] }, { $addToSet: { a: { $each: [1, 2, 2, 3] } } }, { a: [1, 2, 3] }],
  [
    '$addToSet of documents by order',
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  ['$addToSet makes an array', {}, { $addToSet: { a: 1 } }, { a: [1] }],
  ['$pop last', { a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
  ['$pop first', { a: [1, 2, 3] }, { $pop: { a: -1 } }, { a: [2, 3] }],
  ['$pop of nothing', { a: [] }, { $pop: { a: 1 } }, { a: [] }],
  ['$pop of a missing field', { b: 1 }, { $pop: { a: 1 } }, { b: 1 }],
  ['$pull of a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull by $in', { a: [1, 2, 3] }, { $pull: { a: { $in: [1, 3] } } }, { a: [2] }],
  ['$pull of documents by a field', { a: [{ x: 1, y: 1 }, { x: 2 }] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }] }],
  [
    '$pull of documents by a condition',
    { a: [{ x: 1 }, { x: 5 }] },
    { $pull: { a: { x: { $gt: 3 } } } },
    { a: [{ x: 1 }] },
  ],
  [
    '$pull with $or',
    { a: [{ x: 1 }, { y: 2 }, { z: 3 }] },
    { $pull: { a: { $or: [{ x: 1 }, { y: 2 }] } } },
    { a: [{ z: 3 }] },
  ],
  ['$pull by pattern', { a: ['ab', 'b'] }, { $pull: { a: /^a/ } }, { a: ['b'] }],
  ['$pull of an array', { a: [[1, 2], [1]] }, { $pull: { a: [1, 2] } }, { a: [[1]] }],
  ['$pull of a missing field', { b: 1 }, { $pull: { a: 1 } }, { b: 1 }],
  [
    '$pull with $elemMatch',
    { a: [{ r: [1, 9] }, { r: [2] }] },
    { $pull: { a: { r: { $elemMatch: { $gt: 5 } } } } },
    { a: [{ r: [2] }] },
  ],
  ['$pullAll', { a: [1, 2, 3, 2] }, { $pullAll: { a: [2, 3] } }, { a: [1] }],
  [
    '$pullAll of documents',
    { a: [{ x: 1 }, { x: 1, y: 1 }] },
    { $pullAll: { a: [{ x: 1 }] } },
    { a: [{ x: 1, y: 1 }] },
  ],
]);

describe('refusals', () => {
  test.each<[string, Document, Document, number]>([
    ['an unknown operator', { a: 1 }, { $foo: { a: 1 } }, 9],
    ['an operator without fields', { a: 1 }, { $set: 1 }, 9],
    ['$inc of a string', { a: 'x' }, { $inc: { a: 1 } }, 14],
    ['$inc by a string', { a: 1 }, { $inc: { a: 'x' } }, 14],
    ['$inc of null', { a: null }, { $inc: { a: 1 } }, 14],
    ['$inc beyond 64 bits', { a: max }, { $inc: { a: 1 } }, 2],
    ['$push to a scalar', { a: 1 }, { $push: { a: 1 } }, 2],
    ['$push with an unknown clause', { a: [] }, { $push: { a: { $each: [], $foo: 1 } } }, 2],
    ['$push $each without an array', { a: [] }, { $push: { a: { $each: 1 } } }, 2],
    ['$addToSet to a scalar', { a: 1 }, { $addToSet: { a: 1 } }, 2],
    ['$addToSet $each without an array', { a: [] }, { $addToSet: { a: { $each: 1 } } }, 14],
    ['$pull from a scalar', { a: 1 }, { $pull: { a: 1 } }, 2],
    ['$pullAll without an array', { a: [] }, { $pullAll: { a: 1 } }, 2],
    ['$pop from a scalar', { a: 1 }, { $pop: { a: 1 } }, 14],
    ['$pop by 2', { a: [] }, { $pop: { a: 2 } }, 9],
    ['$currentDate with another type', { a: 1 }, { $currentDate: { a: { $type: 'x' } } }, 2],
    ['a field in a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
    ['a field in an array', { a: [1] }, { $set: { 'a.b': 1 } }, 28],
    ['a field in null', { a: null }, { $set: { 'a.b': 1 } }, 28],
    ['one path twice', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['a path and its parent', { a: {} }, { $set: { a: 1, 'a.b': 1 } }, 40],
    ['another _id', { a: 1 }, { $set: { _id: 2 } }, 66],
    ['$unset of _id', { a: 1 }, { $unset: { _id: 1 } }, 66],
    ['$inc of _id', { a: 1 }, { $inc: { _id: 1 } }, 66],
    ['a field named as an operator', { a: 1 }, { $set: { $b: 1 } }, 52],
    ['an empty path', { a: 1 }, { $set: { '': 1 } }, 56],
    ['an empty step', { a: 1 }, { $set: { 'a..b': 1 } }, 56],
  ])('%s', async (name, before, update, code) => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never, ...before });
    expect([name, await codeOf(collection.updateOne({ _id: 1 as never }, update))]).toEqual([name, code]);
    expectSame(await collection.findOne({}, TYPED), { _id: 1, ...before });
  });
});

test('$push adds as many items as fit into a document', async () => {
  const collection = bench.fresh();
  await collection.insertOne({ _id: 1 as never, a: [0, 9] });
  const items = Array.from({ length: 200_000 }, (_, i) => i);
  await collection.updateOne({}, { $push: { a: { $each: items, $position: 1 } } } as never);
  const { a } = (await collection.findOne({}))!;
  expect([a.length, a[0], a[1], a.at(-1)]).toEqual([200_002, 0, 0, 9]);
});

describe('dates', () => {
  test.each([[true], [{ $type: 'date' }]])('$currentDate %p', async (spec) => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never });
    const before = Date.now();
    await collection.updateOne({}, { $currentDate: { a: spec as true } });
    const found = await collection.findOne({});
    expect(found!.a).toBeInstanceOf(Date);
    expect(Math.abs(found!.a.getTime() - before)).toBeLessThan(60_000);
  });

  test('$currentDate as a timestamp', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never });
    await collection.updateOne({}, { $currentDate: { a: { $type: 'timestamp' } } });
    expect((await collection.findOne({}))!.a._bsontype).toBe('Timestamp');
  });
});

describe('upserts', () => {
  test.each<[string, Document, Document, Document]>([
    ['equalities of the query', { a: 1, b: 'x' }, { $set: { c: 2 } }, { a: 1, b: 'x', c: 2 }],
    ['$eq and $and', { $and: [{ a: { $eq: 1 } }, { b: 2 }] }, { $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    ['dotted equalities', { 'a.b': 1 }, { $set: { c: 3 } }, { a: { b: 1 }, c: 3 }],
    ['comparisons give no field', { a: { $gt: 1 } }, { $set: { c: 3 } }, { c: 3 }],
    ['$setOnInsert', { a: 1 }, { $setOnInsert: { b: 2 }, $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    ['$inc', { a: 1 }, { $inc: { n: 5 } }, { a: 1, n: 5 }],
    ['$push', { a: 1 }, { $push: { l: 5 } }, { a: 1, l: [5] }],
    ['a single $in', { a: { $in: [7] } }, { $set: { c: 1 } }, { a: 7, c: 1 }],
    ['patterns give no field', { a: { $in: [/^x/] }, b: { $all: [/^y/] } }, { $set: { c: 1 } }, { c: 1 }],
    ['$or of one', { $or: [{ a: 7 }] }, { $set: { c: 1 } }, { a: 7, c: 1 }],
    ['$or of two gives no field', { $or: [{ a: 7 }, { a: 8 }] }, { $set: { c: 1 } }, { c: 1 }],
  ])('%s', async (_name, filter, update, after) => {
    const collection = bench.fresh();
    const result = await collection.updateOne(filter, update, { upsert: true });
    expect([result.matchedCount, result.upsertedCount]).toEqual([0, 1]);
    expectSame(await collection.findOne({}, TYPED), { _id: result.upsertedId, ...after });
  });

  test.each([{ $set: { $price: 5 } }, { $set: { $inc: { x: 5 } } }, { $setOnInsert: { 'a.$b': 1 } }])(
    'a field named like an operator is refused: %j',
    async (update) => {
      const collection = bench.fresh();
      expect(await codeOf(collection.updateOne({ _id: 1 as never }, update as never, { upsert: true }))).toBe(52);
      expect(await collection.countDocuments({})).toBe(0);
    },
  );

  test('an _id in the query is kept and comes first', async () => {
    const collection = bench.fresh();
    const result = await collection.updateOne({ x: 1, _id: 'k' as never }, { $set: { a: 1 } }, { upsert: true });
    expect(result.upsertedId).toBe('k');
    expectSame(await collection.findOne({}, TYPED), { _id: 'k', x: 1, a: 1 });
  });

  test('an _id in $set is kept', async () => {
    const collection = bench.fresh();
    await collection.updateOne({ s: 1 }, { $set: { _id: 'sid' as never, a: 1 } }, { upsert: true });
    expectSame(await collection.findOne({}, TYPED), { _id: 'sid', s: 1, a: 1 });
  });

  test('a replacement', async () => {
    const collection = bench.fresh();
    await collection.replaceOne({ _id: 5 as never, q: 1 }, { a: 1 }, { upsert: true });
    expectSame(await collection.findOne({}, TYPED), { _id: 5, a: 1 });
  });

  test('a field with two required values is refused', async () => {
    const collection = bench.fresh();
    expect(
      await codeOf(collection.updateOne({ $and: [{ a: 1 }, { a: 2 }] }, { $set: { b: 1 } }, { upsert: true })),
    ).toBe(54);
  });

  test('$all with two values requires a field twice', async () => {
    const filter = { a: { $all: [1, 2] } };
    expect(await codeOf(bench.fresh().updateOne(filter, { $set: { b: 1 } }, { upsert: true }))).toBe(54);
  });

  test('of two at once one inserts, or both agree', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ k: 1 }, { unique: true });
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => collection.updateOne({ k: 1 }, { $inc: { n: 1 } }, { upsert: true })),
    );
    expect(await collection.countDocuments({ k: 1 })).toBe(1);
    const done = tries.filter((item) => item.status === 'fulfilled').length;
    expect((await collection.findOne({ k: 1 }))!.n).toBe(done);
  });
});

describe('results', () => {
  test('a replacement keeps the _id and drops the rest', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never, a: 1, b: 2 });
    await collection.replaceOne({ a: 1 }, { c: 3 });
    expectSame(await collection.findOne({}, TYPED), { _id: 1, c: 3 });
  });

  test('a replacement with another _id is refused', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never, a: 1 });
    expect(await codeOf(collection.replaceOne({ a: 1 }, { _id: 2 as never, a: 1 }))).toBe(66);
  });

  test('an update without effect does not count as modified', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 1 });
    const result = await collection.updateOne({}, { $set: { a: 1 } });
    expect([result.matchedCount, result.modifiedCount]).toEqual([1, 0]);
  });

  test('updateMany changes all', async () => {
    const collection = bench.fresh();
    await collection.insertMany([{ a: 1 }, { a: 2 }, { a: 3 }]);
    const result = await collection.updateMany({ a: { $gt: 1 } }, { $inc: { a: 10 } });
    expect([result.matchedCount, result.modifiedCount]).toEqual([2, 2]);
    expect(await collection.distinct('a')).toEqual([1, 12, 13]);
  });

  test('updateMany along its own index visits each document once', async () => {
    const collection = bench.fresh();
    await collection.createIndex({ a: 1 });
    await collection.insertMany(Array.from({ length: 300 }, (_, a) => ({ a })));
    const result = await collection.updateMany({ a: { $gte: 0 } }, { $inc: { a: 1000 } });
    expect(result.modifiedCount).toBe(300);
    expect(await collection.countDocuments({ a: { $gte: 1000, $lt: 1300 } })).toBe(300);
  });

  test('multi with a replacement is refused', async () => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 1 });
    const command = { update: collection.collectionName, updates: [{ q: {}, u: { b: 1 }, multi: true }] };
    const reply = await bench.db.command(command);
    expect(reply.writeErrors[0].code).toBe(9);
  });
});

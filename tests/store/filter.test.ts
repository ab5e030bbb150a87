import { describe } from '@jest/globals';
import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { codeOf, type Document, expect, openDatabase, test } from './harness.ts';

const bench = openDatabase('filter');

/** Values of a field `a`, by the index that is each document's _id; `undefined` omits the field. */
type Case = [name: string, values: unknown[], filter: Document, ids: number[]];

const MISSING = undefined;
const doc = (a: unknown, _id: number): Document => (a === MISSING ? { _id } : { _id, a });

function finds(title: string, cases: Case[]): void {
  describe(title, () => {
    test.each(cases)('%s', async (_name, values, filter, ids) => {
      const collection = bench.fresh();
      await collection.insertMany(values.map(doc));
      const found = await collection
        .find(filter, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .toArray();
      expect(found.map((item) => item._id)).toEqual(ids);
      // The same query with an index, which must never change the result.
      await collection.createIndex({ a: 1 }).catch(() => undefined);
      const indexed = await collection
        .find(filter, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .toArray();
      expect(indexed.map((item) => item._id)).toEqual(ids);
      expect(await collection.countDocuments(filter)).toBe(ids.length);
    });
  });
}

const big = Long.fromString('9007199254740993');
const oid = new ObjectId('0123456789abcdef01234567');
const day = (n: number) => new Date(Date.UTC(2020, 0, n));

finds('equality', [
  ['a number', [1, 2, 1], { a: 1 }, [0, 2]],
  [
    'one number in all types',
    [new Int32(5), new Double(5), Long.fromNumber(5), Decimal128.fromString('5'), Decimal128.fromString('5.00'), '5'],
    { a: 5 },
    [0, 1, 2, 3, 4],
  ],
  ['a long beyond doubles', [big, big.add(1), new Double(9007199254740992)], { a: big }, [0]],
  [
    'a decimal that no double is',
    [Decimal128.fromString('0.1'), new Double(0.1)],
    { a: Decimal128.fromString('0.1') },
    [0],
  ],
  ['a string', ['x', 'X', 'xy'], { a: 'x' }, [0]],
  ['an empty string', ['', null, MISSING], { a: '' }, [0]],
  ['a boolean', [true, false, 1], { a: true }, [0]],
  ['a date', [day(1), day(2), day(1).getTime()], { a: day(1) }, [0]],
  ['an ObjectId', [oid, oid.toHexString()], { a: oid }, [0]],
  [
    'binary',
    [new Binary(Buffer.from('ab')), new Binary(Buffer.from('ab'), 5), new Binary(Buffer.from('abc'))],
    { a: new Binary(Buffer.from('ab')) },
    [0],
  ],
  [
    'a timestamp',
    [new Timestamp({ t: 1, i: 2 }), new Timestamp({ t: 1, i: 3 })],
    { a: new Timestamp({ t: 1, i: 2 }) },
    [0],
  ],
  ['null finds null and missing', [null, MISSING, 0, ''], { a: null }, [0, 1]],
  ['null inside an array', [[null], [1], []], { a: null }, [0]],
  ['$eq null finds missing', [null, MISSING, 1], { a: { $eq: null } }, [0, 1]],
  ['an element of an array', [[1, 2], [3], 2], { a: 2 }, [0, 2]],
  ['an array as a whole', [[1, 2], [2, 1], [[1, 2]], 1], { a: [1, 2] }, [0, 2]],
  ['an empty array', [[], [[]], MISSING, null], { a: [] }, [0, 1]],
  ['a document, fields in order', [{ x: 1, y: 2 }, { y: 2, x: 1 }, { x: 1 }], { a: { x: 1, y: 2 } }, [0]],
  ['a document with a number of another type', [{ x: new Double(1) }, { x: 2 }], { a: { x: 1 } }, [0]],
  ['a document in an array', [[{ x: 1 }, { x: 2 }], [{ x: 1, y: 1 }]], { a: { x: 1 } }, [0]],
  ['an empty document', [{}, { x: 1 }], { a: {} }, [0]],
  ['NaN', [new Double(Number.NaN), 0], { a: Number.NaN }, [0]],
  ['minus zero', [new Double(-0), 0, 1], { a: 0 }, [0, 1]],
  ['MinKey and MaxKey', [new MinKey(), new MaxKey(), 1], { a: new MinKey() }, [0]],
  ['a regular expression as a value by $eq', [new BSONRegExp('^x'), 'xy'], { a: { $eq: new BSONRegExp('^x') } }, [0]],
]);

finds('dotted paths', [
  ['into a document', [{ b: 1 }, { b: 2 }, 1], { 'a.b': 1 }, [0]],
  ['into documents of an array', [[{ b: 1 }, { b: 2 }], [{ b: 3 }]], { 'a.b': 2 }, [0]],
  ['by position', [[5, 6], [6, 5], { 1: 6 }], { 'a.1': 6 }, [0, 2]],
  [
    'by position and field',
    [
      [{ b: 1 }, { b: 2 }],
      [{ b: 2 }, { b: 1 }],
    ],
    { 'a.1.b': 2 },
    [0],
  ],
  ['by position, without entering the array there', [[[1, 2]], [1, 2], { 0: [1, 2] }], { 'a.0': 1 }, [1, 2]],
  ['by position, the array there as a whole', [[[1, 2]], [1, 2]], { 'a.0': [1, 2] }, [0]],
  ['by position, through an array in an array', [[[{ b: 1 }]], [{ b: 1 }]], { 'a.0.b': 1 }, [0, 1]],
  ['not through an array in an array', [[[{ b: 1 }]], [{ b: 1 }]], { 'a.b': 1 }, [1]],
  ['null where the field is missing', [{ b: null }, {}, MISSING, 4, { b: 1 }], { 'a.b': null }, [0, 1, 2, 3]],
  ['null in a document of an array', [[{ b: 1 }, {}], [{ b: 1 }]], { 'a.b': null }, [0]],
  ['null and scalars of an array', [[1, 2], []], { 'a.b': null }, []],
  ['missing with $exists', [[1, 2], [], { b: 1 }, MISSING], { 'a.b': { $exists: false } }, [0, 1, 3]],
  ['arrays at the end of a path', [{ b: [1, 2] }, { b: 3 }], { 'a.b': 2 }, [0]],
  ['deep', [{ b: { c: { d: 1 } } }, { b: { c: 1 } }], { 'a.b.c.d': 1 }, [0]],
]);

finds('comparison', [
  ['$gt', [1, 2, 3], { a: { $gt: 2 } }, [2]],
  ['$gte', [1, 2, 3], { a: { $gte: 2 } }, [1, 2]],
  ['$lt', [1, 2, 3], { a: { $lt: 2 } }, [0]],
  ['$lte', [1, 2, 3], { a: { $lte: 2 } }, [0, 1]],
  ['a range', [1, 2, 3, 4], { a: { $gt: 1, $lt: 4 } }, [1, 2]],
  ['types are not mixed', [1, '2', day(1), null, MISSING, true], { a: { $gt: 0 } }, [0]],
  ['strings by bytes', ['a', 'B', 'b', 'é'], { a: { $gt: 'a' } }, [2, 3]],
  ['dates', [day(1), day(2), day(3)], { a: { $gte: day(2) } }, [1, 2]],
  ['ObjectIds', [oid, new ObjectId('ffffffffffffffffffffffff')], { a: { $gt: oid } }, [1]],
  ['longs exactly', [big, big.add(1), big.sub(2)], { a: { $gt: big } }, [1]],
  ['a long against a double', [big, new Double(9007199254740992)], { a: { $gt: new Double(9007199254740992) } }, [0]],
  [
    'decimals',
    [Decimal128.fromString('1.1'), Decimal128.fromString('1.10001'), new Double(1.2)],
    { a: { $gt: Decimal128.fromString('1.1') } },
    [1, 2],
  ],
  [
    'infinity',
    [new Double(Number.POSITIVE_INFINITY), 1, new Double(Number.NEGATIVE_INFINITY)],
    { a: { $lt: Number.POSITIVE_INFINITY } },
    [1, 2],
  ],
  ['NaN is outside of ranges', [new Double(Number.NaN), 1], { a: { $lt: 5 } }, [1]],
  ['$gte NaN', [new Double(Number.NaN), 1], { a: { $gte: Number.NaN } }, [0]],
  ['$gte null finds null and missing', [null, MISSING, 1], { a: { $gte: null } }, [0, 1]],
  ['$lte null', [null, MISSING, 1], { a: { $lte: null } }, [0, 1]],
  ['$gt null finds nothing', [null, MISSING, 1], { a: { $gt: null } }, []],
  ['an array: any element', [[1, 5], [1, 2], 9], { a: { $gt: 4 } }, [0, 2]],
  ['an array: each bound by an element of its own', [[1, 9], [4], [10]], { a: { $gt: 3, $lt: 5 } }, [0, 1]],
  [
    'whole arrays',
    [
      [1, 2],
      [1, 3],
      [0, 9],
    ],
    { a: { $gt: [1, 2] } },
    [1],
  ],
  ['documents', [{ x: 1 }, { x: 2 }, 5], { a: { $gt: { x: 1 } } }, [1]],
  ['booleans', [true, false], { a: { $gt: false } }, [0]],
  ['$gt MinKey finds everything above', [1, 'x', null], { a: { $gt: new MinKey() } }, [0, 1, 2]],
  ['$ne', [1, 2, MISSING, null, [1, 2]], { a: { $ne: 1 } }, [1, 2, 3]],
  ['$ne null', [null, MISSING, 1, [null]], { a: { $ne: null } }, [2]],
  ['$in', [1, 2, 3, [3, 4]], { a: { $in: [1, 3] } }, [0, 2, 3]],
  ['$in of no values', [1, MISSING], { a: { $in: [] } }, []],
  ['$in with null', [null, MISSING, 1, 2], { a: { $in: [null, 1] } }, [0, 1, 2]],
  ['$in with a pattern', ['abc', 'b', 'xa'], { a: { $in: [/^a/, 'b'] } }, [0, 1]],
  ['$in with an array', [[1, 2], [3], 1], { a: { $in: [[1, 2]] } }, [0]],
  ['$in of mixed numbers', [new Int32(1), new Double(1), Long.ONE, 2], { a: { $in: [Long.ONE] } }, [0, 1, 2]],
  ['$in with an empty array', [[], 1, MISSING], { a: { $in: [[]] } }, [0]],
  ['$nin', [1, 2, MISSING, [1]], { a: { $nin: [1] } }, [1, 2]],
  ['$nin with null', [null, MISSING, 1], { a: { $nin: [null] } }, [2]],
]);

finds('logic', [
  ['$and', [1, 2, 3], { $and: [{ a: { $gt: 1 } }, { a: { $lt: 3 } }] }, [1]],
  ['$or', [1, 2, 3], { $or: [{ a: 1 }, { a: 3 }] }, [0, 2]],
  ['$nor', [1, 2, 3, MISSING], { $nor: [{ a: 1 }, { a: 3 }] }, [1, 3]],
  ['$or and a field', [1, 2, 3], { a: { $gt: 1 }, $or: [{ a: 1 }, { a: 3 }] }, [2]],
  ['nested', [1, 2, 3, 4], { $or: [{ $and: [{ a: { $gt: 1 } }, { a: { $lt: 3 } }] }, { a: 4 }] }, [1, 3]],
  ['$not', [1, 5, MISSING, 'x'], { a: { $not: { $gt: 3 } } }, [0, 2, 3]],
  ['$not with a pattern', ['abc', 'x', MISSING], { a: { $not: /^a/ } }, [1, 2]],
  [
    '$not on an array',
    [
      [1, 5],
      [1, 2],
    ],
    { a: { $not: { $gt: 3 } } },
    [1],
  ],
  ['$comment says nothing', [1], { a: { $gt: 0, $comment: 'x' }, $comment: 'y' }, [0]],
]);

finds('elements', [
  ['$exists', [1, null, MISSING], { a: { $exists: true } }, [0, 1]],
  ['$exists: false', [1, null, MISSING], { a: { $exists: false } }, [2]],
  ['$exists: 0', [1, MISSING], { a: { $exists: 0 } }, [1]],
  ['$type by name', [1, '1', true, null, oid], { a: { $type: 'string' } }, [1]],
  ['$type int', [new Int32(1), new Double(1), Long.ONE], { a: { $type: 'int' } }, [0]],
  ['$type long', [new Int32(1), new Double(1), Long.ONE], { a: { $type: 'long' } }, [2]],
  ['$type double', [new Int32(1), new Double(1), new Double(1.5)], { a: { $type: 'double' } }, [1, 2]],
  ['$type decimal', [Decimal128.fromString('1'), 1], { a: { $type: 'decimal' } }, [0]],
  [
    '$type number',
    [1, Long.ONE, new Double(1.5), Decimal128.fromString('1'), '1'],
    { a: { $type: 'number' } },
    [0, 1, 2, 3],
  ],
  ['$type by code', [1, 'x', day(1)], { a: { $type: 9 } }, [2]],
  ['$type of several', [1, 'x', true], { a: { $type: ['string', 'bool'] } }, [1, 2]],
  ['$type array', [[1], [], 1], { a: { $type: 'array' } }, [0, 1]],
  ['$type of elements', [['x', 1], [1]], { a: { $type: 'string' } }, [0]],
  ['$type objectId', [oid, 'x'], { a: { $type: 'objectId' } }, [0]],
  ['$type binData', [new Binary(Buffer.from('x')), 'x'], { a: { $type: 'binData' } }, [0]],
  ['$type timestamp', [new Timestamp({ t: 1, i: 1 }), day(1)], { a: { $type: 'timestamp' } }, [0]],
  ['$type null is not missing', [null, MISSING], { a: { $type: 'null' } }, [0]],
  ['$type minKey', [new MinKey(), 1], { a: { $type: -1 } }, [0]],
  ['$type object', [{ x: 1 }, [{ x: 1 }], 1], { a: { $type: 'object' } }, [0, 1]],
  ['$regex', ['abc', 'xabc', 5], { a: { $regex: '^abc' } }, [0]],
  ['$regex with options', ['ABC', 'abc', 'x'], { a: { $regex: 'b', $options: 'i' } }, [0, 1]],
  ['$regex multiline', ['x\nabc', 'abc', 'xabc'], { a: { $regex: '^abc', $options: 'm' } }, [0, 1]],
  ['$regex dot all', ['a\nb', 'a b'], { a: { $regex: 'a.b', $options: 's' } }, [0, 1]],
  ['$regex extended', ['ab', 'a b'], { a: { $regex: 'a b # comment', $options: 'x' } }, [0]],
  ['a pattern as literal', ['foo', 'Foo', ['x', 'foo']], { a: /^foo/ }, [0, 2]],
  ['a pattern finds itself', [new BSONRegExp('^x'), 'y'], { a: new BSONRegExp('^x') }, [0]],
  ['a prefix with special characters', ['a.b', 'axb', 'a.bc'], { a: /^a\.b/ }, [0, 2]],
  ['a prefix with an optional end', ['a', 'ab', 'abb', 'b'], { a: /^ab?/ }, [0, 1, 2]],
  ['alternatives', ['ax', 'bx', 'cx'], { a: /^a|^b/ }, [0, 1]],
]);

finds('arrays', [
  ['$size', [[1, 2], [1], [], 'xx'], { a: { $size: 2 } }, [0]],
  ['$size 0', [[], [1], MISSING], { a: { $size: 0 } }, [0]],
  ['$all', [[1, 2, 3], [1, 2], [3]], { a: { $all: [1, 3] } }, [0]],
  ['$all on a scalar', [1, [1], 2], { a: { $all: [1] } }, [0, 1]],
  ['$all of nothing', [[], [1]], { a: { $all: [] } }, []],
  [
    '$all with $elemMatch',
    [[{ x: 1 }, { x: 2 }], [{ x: 1 }]],
    { a: { $all: [{ $elemMatch: { x: 1 } }, { $elemMatch: { x: 2 } }] } },
    [0],
  ],
  ['$all of a nested array', [[[1, 2]], [1, 2]], { a: { $all: [[1, 2]] } }, [0, 1]],
  ['$elemMatch of values', [[1, 9], [4, 9], [5]], { a: { $elemMatch: { $gt: 3, $lt: 5 } } }, [1]],
  [
    '$elemMatch of documents',
    [
      [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
      [{ x: 1, y: 4 }],
    ],
    { a: { $elemMatch: { x: 1, y: 4 } } },
    [1],
  ],
  ['$elemMatch needs an array', [{ x: 1 }, [{ x: 1 }]], { a: { $elemMatch: { x: 1 } } }, [1]],
  [
    '$elemMatch with $or',
    [[{ x: 1 }], [{ y: 2 }], [{ z: 3 }]],
    { a: { $elemMatch: { $or: [{ x: 1 }, { y: 2 }] } } },
    [0, 1],
  ],
  ['$elemMatch of DBRefs', [[{ $ref: 'x', $id: 1 }], [{ $ref: 'x', $id: 2 }]], { a: { $elemMatch: { $id: 2 } } }, [1]],
  ['$elemMatch with $in', [[1, 2], [3]], { a: { $elemMatch: { $in: [3] } } }, [1]],
  ['$elemMatch with $ne', [[1], [1, 2]], { a: { $elemMatch: { $ne: 1 } } }, [1]],
  ['$elemMatch in $elemMatch', [[[1, 5]], [[1]]], { a: { $elemMatch: { $elemMatch: { $gt: 4 } } } }, [0]],
  ['$elemMatch of values does not enter arrays', [[[18]], [18]], { a: { $elemMatch: { $eq: 18 } } }, [1]],
  ['$elemMatch with $ne of an array', [[[18]], [18]], { a: { $elemMatch: { $ne: 18 } } }, [0]],
  ['$elemMatch with $not of an array', [[[18]], [18]], { a: { $elemMatch: { $not: { $gt: 4 } } } }, [0]],
  ['$elemMatch with $type of an array', [[['x']], ['x']], { a: { $elemMatch: { $type: 'string' } } }, [1]],
  ['$elemMatch with $in of an array', [[[3]], [3]], { a: { $elemMatch: { $in: [3] } } }, [1]],
  ['$elemMatch with an array as a whole', [[[3]], [3]], { a: { $elemMatch: { $eq: [3] } } }, [0]],
  ['$not with $elemMatch', [[1], [5]], { a: { $not: { $elemMatch: { $gt: 4 } } } }, [0]],
]);

describe('refusals', () => {
  test.each<[string, Document, number]>([
    ['an unknown operator', { a: { $foo: 1 } }, 2],
    ['an unknown top-level operator', { $foo: 1 }, 2],
    ['$in without an array', { a: { $in: 1 } }, 2],
    ['$nin without an array', { a: { $nin: 1 } }, 2],
    ['$in with an operator inside', { a: { $in: [{ $gt: 1 }] } }, 2],
    ['$and without an array', { $and: {} }, 2],
    ['$and of nothing', { $and: [] }, 2],
    ['$or of nothing', { $or: [] }, 2],
    ['$or of scalars', { $or: [1] }, 2],
    ['$size without a number', { a: { $size: 'x' } }, 2],
    ['$size below zero', { a: { $size: -1 } }, 2],
    ['$type of an unknown name', { a: { $type: 'foo' } }, 2],
    ['$type of an unknown code', { a: { $type: 99 } }, 2],
    ['$regex that does not compile', { a: { $regex: '(' } }, 51091],
    ['$regex of a number', { a: { $regex: 1 } }, 2],
    ['$options alone', { a: { $options: 'i' } }, 2],
    ['$elemMatch without a document', { a: { $elemMatch: 1 } }, 2],
    ['$not without a document', { a: { $not: 1 } }, 2],
    ['$not of nothing', { a: { $not: {} } }, 2],
    ['$all without an array', { a: { $all: 1 } }, 2],
    ['a pattern as $ne', { a: { $ne: /x/ } }, 2],
    ['$all with $elemMatch and a value', { a: { $all: [{ $elemMatch: { x: 1 } }, 1] } }, 2],
    ['a filter that is not a document', { filter: 1 } as Document, 0],
  ])('%s', async (name, filter, code) => {
    const collection = bench.fresh();
    await collection.insertOne({ a: 1 });
    if (code === 0) expect(await codeOf(bench.db.command({ find: collection.collectionName, filter: 1 }))).toBe(14);
    else expect([name, await codeOf(collection.find(filter).toArray())]).toEqual([name, code]);
  });
});

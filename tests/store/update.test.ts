import { describe } from '@jest/globals';
import { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { codeOf, type Document, expect, expectSame, openDatabase, TYPED, test } from './harness.ts';

const bench = openDatabase('update');

type Case = [
  name: string,
  before: Document,
  update: Document | Document[],
  after: Document,
  options?: Document & { filter?: Document },
];

function changes(title: string, cases: Case[]): void {
  describe(title, () => {
    test.each(cases)('%s', async (...[, before, update, after, given]) => {
      const collection = bench.fresh();
      const { filter = {}, ...options } = given ?? {};
      await collection.insertOne({ _id: 1 as never, ...before });
      const result = await collection.updateOne({ _id: 1 as never, ...filter }, update, options);
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
  ['$rename', { a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
  ['$rename over a field', { a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
  ['$rename of a missing field', { a: 1 }, { $rename: { x: 'y' } }, { a: 1 }],
  ['$rename into a document', { a: 1, b: {} }, { $rename: { a: 'b.c' } }, { b: { c: 1 } }],
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
  ['$mul', { a: 3 }, { $mul: { a: 4 } }, { a: 12 }],
  ['$mul of a missing field is zero', {}, { $mul: { a: 4 } }, { a: 0 }],
  ['$mul of a missing field keeps the type', {}, { $mul: { a: Long.fromNumber(4) } }, { a: Long.ZERO }],
  ['$mul that overflows becomes long', { a: 2147483647 }, { $mul: { a: 2 } }, { a: Long.fromNumber(4294967294) }],
  ['$mul by a double', { a: 3 }, { $mul: { a: new Double(1.5) } }, { a: new Double(4.5) }],
  [
    '$mul of decimals',
    { a: Decimal128.fromString('1.1') },
    { $mul: { a: Decimal128.fromString('1.1') } },
    { a: Decimal128.fromString('1.21') },
  ],
  ['$min takes the smaller', { a: 5 }, { $min: { a: 3 } }, { a: 3 }],
  ['$min keeps the smaller', { a: 5 }, { $min: { a: 7 } }, { a: 5 }],
  ['$min of a missing field', {}, { $min: { a: 7 } }, { a: 7 }],
  ['$max takes the larger', { a: 5 }, { $max: { a: 7 } }, { a: 7 }],
  ['$max keeps the larger', { a: 5 }, { $max: { a: 3 } }, { a: 5 }],
  ['$max across types', { a: 5 }, { $max: { a: 'x' } }, { a: 'x' }],
  ['$min across types', { a: 'x' }, { $min: { a: 5 } }, { a: 5 }],
  ['$max of dates', { a: new Date(5) }, { $max: { a: new Date(9) } }, { a: new Date(9) }],
  ['$bit and', { a: 13 }, { $bit: { a: { and: 10 } } }, { a: 8 }],
  ['$bit or', { a: 13 }, { $bit: { a: { or: 2 } } }, { a: 15 }],
  ['$bit xor', { a: 13 }, { $bit: { a: { xor: 5 } } }, { a: 8 }],
  ['$bit of a long', { a: Long.fromNumber(13) }, { $bit: { a: { and: 10 } } }, { a: Long.fromNumber(8) }],
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
  ['$sort', { a: [3, 1] }, { $push: { a: { $each: [2], $sort: 1 } } }, { a: [1, 2, 3] }],
  [
    '$sort by a field',
    { a: [{ x: 2 }, { x: 1 }] },
    { $push: { a: { $each: [{ x: 3 }], $sort: { x: -1 } } } },
    { a: [{ x: 3 }, { x: 2 }, { x: 1 }] },
  ],
  ['$sort then $slice', { a: [5, 1] }, { $push: { a: { $each: [3], $sort: -1, $slice: 2 } } }, { a: [5, 3] }],
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

changes('positional', [
  ['$ sets the element found', { a: [1, 5, 9] }, { $set: { 'a.$': 0 } }, { a: [1, 0, 9] }, { filter: { a: 5 } }],
  ['$ with a condition', { a: [1, 5, 9] }, { $set: { 'a.$': 0 } }, { a: [1, 0, 9] }, { filter: { a: { $gt: 3 } } }],
  [
    '$ with $elemMatch',
    {
      a: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
    },
    { $set: { 'a.$.y': 9 } },
    {
      a: [
        { x: 1, y: 1 },
        { x: 2, y: 9 },
      ],
    },
    { filter: { a: { $elemMatch: { x: 2, y: 2 } } } },
  ],
  [
    '$ with a dotted path',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$.x': 9 } },
    { a: [{ x: 1 }, { x: 9 }] },
    { filter: { 'a.x': 2 } },
  ],
  [
    '$ twice',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$.x': 9, 'a.$.y': 8 } },
    { a: [{ x: 1 }, { x: 9, y: 8 }] },
    { filter: { 'a.x': 2 } },
  ],
  ['$ with $inc', { a: [1, 5] }, { $inc: { 'a.$': 1 } }, { a: [1, 6] }, { filter: { a: 5 } }],
  ['$ in a path', { o: { a: [1, 5] } }, { $set: { 'o.a.$': 0 } }, { o: { a: [1, 0] } }, { filter: { 'o.a': 5 } }],
  ['$ with $unset', { a: [1, 5] }, { $unset: { 'a.$': 1 } }, { a: [1, null] }, { filter: { a: 5 } }],
  ['$[] sets all', { a: [1, 2] }, { $set: { 'a.$[]': 0 } }, { a: [0, 0] }],
  ['$[] with $inc', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
  [
    '$[] in documents',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$[].y': 0 } },
    {
      a: [
        { x: 1, y: 0 },
        { x: 2, y: 0 },
      ],
    },
  ],
  ['$[] of no element', { a: [] }, { $set: { 'a.$[]': 0 } }, { a: [] }],
  ['$[] in $[]', { a: [[1], [2, 3]] }, { $inc: { 'a.$[].$[]': 1 } }, { a: [[2], [3, 4]] }],
  ['$[name]', { a: [1, 5, 9] }, { $set: { 'a.$[big]': 0 } }, { a: [1, 0, 0] }, { arrayFilters: [{ big: { $gt: 3 } }] }],
  [
    '$[name] by a field',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$[e].y': 1 } },
    { a: [{ x: 1 }, { x: 2, y: 1 }] },
    { arrayFilters: [{ 'e.x': 2 }] },
  ],
  [
    '$[name] of two conditions',
    {
      a: [
        { x: 1, k: 1 },
        { x: 2, k: 1 },
      ],
    },
    { $set: { 'a.$[e].y': 1 } },
    {
      a: [
        { x: 1, k: 1 },
        { x: 2, k: 1, y: 1 },
      ],
    },
    { arrayFilters: [{ 'e.x': { $gt: 1 }, 'e.k': 1 }] },
  ],
  [
    'two names',
    { a: [{ b: [1, 2] }, { b: [3] }] },
    { $set: { 'a.$[o].b.$[i]': 0 } },
    { a: [{ b: [1, 0] }, { b: [3] }] },
    { arrayFilters: [{ 'o.b': 1 }, { i: 2 }] },
  ],
  [
    'two fields of one name',
    { a: [{ x: 1 }] },
    { $set: { 'a.$[e].x': 5, 'a.$[e].y': 6 } },
    { a: [{ x: 5, y: 6 }] },
    { arrayFilters: [{ 'e.x': 1 }] },
  ],
  ['a name that meets nothing', { a: [1] }, { $set: { 'a.$[e]': 5 } }, { a: [1] }, { arrayFilters: [{ e: 9 }] }],
]);

changes('pipelines', [
  ['$set from a field', { a: 1 }, [{ $set: { b: { $add: ['$a', 1] } } }], { a: 1, b: 2 }],
  ['$unset', { a: 1, b: 2 }, [{ $unset: 'a' }], { b: 2 }],
  ['$replaceWith', { a: { x: 1 } }, [{ $replaceWith: { _id: '$_id', y: '$a.x' } }], { y: 1 }],
  ['$project', { a: 1, b: 2 }, [{ $project: { a: 1 } }], { a: 1 }],
  ['two stages', { a: 1 }, [{ $set: { b: 5 } }, { $set: { c: '$b' } }], { a: 1, b: 5, c: 5 }],
  ['$cond', { a: 1 }, [{ $set: { a: { $cond: [{ $gt: ['$a', 0] }, 'yes', 'no'] } } }], { a: 'yes' }],
  ['$concatArrays', { a: [1] }, [{ $set: { a: { $concatArrays: ['$a', [2]] } } }], { a: [1, 2] }],
]);

describe('refusals', () => {
  test.each<[string, Document, Document | Document[], number, Document?]>([
    ['an unknown operator', { a: 1 }, { $foo: { a: 1 } }, 9],
    ['an operator without fields', { a: 1 }, { $set: 1 }, 9],
    ['$inc of a string', { a: 'x' }, { $inc: { a: 1 } }, 14],
    ['$inc by a string', { a: 1 }, { $inc: { a: 'x' } }, 14],
    ['$inc of null', { a: null }, { $inc: { a: 1 } }, 14],
    ['$inc beyond 64 bits', { a: max }, { $inc: { a: 1 } }, 2],
    ['$mul of a string', { a: 'x' }, { $mul: { a: 1 } }, 14],
    ['$push to a scalar', { a: 1 }, { $push: { a: 1 } }, 2],
    ['$push with an unknown clause', { a: [] }, { $push: { a: { $each: [], $foo: 1 } } }, 2],
    ['$push $each without an array', { a: [] }, { $push: { a: { $each: 1 } } }, 2],
    ['$addToSet to a scalar', { a: 1 }, { $addToSet: { a: 1 } }, 2],
    ['$addToSet $each without an array', { a: [] }, { $addToSet: { a: { $each: 1 } } }, 14],
    ['$pull from a scalar', { a: 1 }, { $pull: { a: 1 } }, 2],
    ['$pullAll without an array', { a: [] }, { $pullAll: { a: 1 } }, 2],
    ['$pop from a scalar', { a: 1 }, { $pop: { a: 1 } }, 14],
    ['$pop by 2', { a: [] }, { $pop: { a: 2 } }, 9],
    ['$bit of a double', { a: new Double(1.5) }, { $bit: { a: { and: 1 } } }, 2],
    ['$bit with another word', { a: 1 }, { $bit: { a: { nand: 1 } } }, 2],
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
    ['$ without a match', { a: [1] }, { $set: { 'a.$': 1 } }, 2],
    ['$[name] without a filter', { a: [1] }, { $set: { 'a.$[e]': 1 } }, 2],
    ['a filter that is not used', { a: [1] }, { $set: { a: 1 } }, 9, { arrayFilters: [{ e: 1 }] }],
    ['a filter of two names', { a: [1] }, { $set: { 'a.$[e]': 1 } }, 9, { arrayFilters: [{ e: 1, f: 1 }] }],
    ['two filters of one name', { a: [1] }, { $set: { 'a.$[e]': 1 } }, 9, { arrayFilters: [{ e: 1 }, { e: 2 }] }],
    ['$[] of a scalar', { a: 1 }, { $set: { 'a.$[]': 1 } }, 2],
    ['$[] of a missing field', { b: 1 }, { $set: { 'a.$[]': 1 } }, 2],
    ['$rename onto itself', { a: 1 }, { $rename: { a: 'a' } }, 2],
    ['$rename to a number', { a: 1 }, { $rename: { a: 1 as never } }, 2],
    ['a pipeline stage that may not', { a: 1 }, [{ $match: {} }], 72],
    ['an unknown pipeline stage', { a: 1 }, [{ $foo: {} }], 40324],
    ['arrayFilters with a pipeline', { a: 1 }, [{ $set: { a: 1 } }], 9, { arrayFilters: [{ e: 1 }] }],
  ])('%s', async (...[name, before, update, code, options]) => {
    const collection = bench.fresh();
    await collection.insertOne({ _id: 1 as never, ...before });
    expect([name, await codeOf(collection.updateOne({ _id: 1 as never }, update, options))]).toEqual([name, code]);
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
  test.each<[string, Document, Document | Document[], Document]>([
    ['equalities of the query', { a: 1, b: 'x' }, { $set: { c: 2 } }, { a: 1, b: 'x', c: 2 }],
    ['$eq and $and', { $and: [{ a: { $eq: 1 } }, { b: 2 }] }, { $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    ['dotted equalities', { 'a.b': 1 }, { $set: { c: 3 } }, { a: { b: 1 }, c: 3 }],
    ['comparisons give no field', { a: { $gt: 1 } }, { $set: { c: 3 } }, { c: 3 }],
    ['$setOnInsert', { a: 1 }, { $setOnInsert: { b: 2 }, $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    ['$inc', { a: 1 }, { $inc: { n: 5 } }, { a: 1, n: 5 }],
    ['$push', { a: 1 }, { $push: { l: 5 } }, { a: 1, l: [5] }],
    ['a single $in', { a: { $in: [7] } }, { $set: { c: 1 } }, { a: 7, c: 1 }],
    ['$or of one', { $or: [{ a: 7 }] }, { $set: { c: 1 } }, { a: 7, c: 1 }],
    ['$or of two gives no field', { $or: [{ a: 7 }, { a: 8 }] }, { $set: { c: 1 } }, { c: 1 }],
    ['a pipeline', { a: 1 }, [{ $set: { b: { $add: ['$a', 1] } } }], { a: 1, b: 2 }],
  ])('%s', async (_name, filter, update, after) => {
    const collection = bench.fresh();
    const result = await collection.updateOne(filter, update, { upsert: true });
    expect([result.matchedCount, result.upsertedCount]).toEqual([0, 1]);
    expectSame(await collection.findOne({}, TYPED), { _id: result.upsertedId, ...after });
  });

  test('may add a field named like an operator, as an insert may', async () => {
    const collection = bench.fresh();
    await collection.updateOne({ _id: 1 as never }, { $set: { $price: 5 } }, { upsert: true });
    expectSame(await collection.findOne({}, TYPED), { _id: 1, $price: 5 });
  });

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

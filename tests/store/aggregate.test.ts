import { describe } from '@jest/globals';
import { Decimal128, Double, Int32, Long } from 'bson';
import { codeOf, type Document, expect, expectSame, openDatabase, TYPED, test } from './harness.ts';

const bench = openDatabase('aggregate');

type Case = [name: string, pipeline: Document[], expected: Document[]];

function gives(title: string, docs: Document[], cases: Case[]): void {
  describe(title, () => {
    test.each(cases)('%s', async (_name, pipeline, expected) => {
      const collection = bench.fresh();
      await collection.insertMany(docs as never[]);
      expectSame(await collection.aggregate(pipeline, TYPED).toArray(), expected);
    });
  });
}

const DOCS = [
  { _id: 1, k: 'a', n: 1, l: [1, 2], o: { x: 1, l: [7, 8] } },
  { _id: 2, k: 'b', n: 2, l: [], o: { x: 2 } },
  { _id: 3, k: 'a', n: 3, o: { x: 3 } },
  { _id: 4, k: 'b', n: 4, l: null, o: { x: 4 } },
];
const all = (accumulator: Document): Document[] => [{ $group: { _id: null, v: accumulator } }];

gives('stages', DOCS, [
  ['no stage', [], DOCS],
  [
    '$match',
    [{ $match: { n: { $gt: 2 } } }, { $project: { n: 1 } }],
    [
      { _id: 3, n: 3 },
      { _id: 4, n: 4 },
    ],
  ],
  ['$match after another stage', [{ $project: { n: 1 } }, { $match: { n: 1 } }], [{ _id: 1, n: 1 }]],
  ['$project of inclusion', [{ $limit: 1 }, { $project: { _id: 0, k: 1, 'o.x': 1 } }], [{ k: 'a', o: { x: 1 } }]],
  ['$project of exclusion', [{ $limit: 1 }, { $project: { l: 0, o: 0 } }], [{ _id: 1, k: 'a', n: 1 }]],
  [
    '$sort, $skip, $limit',
    [{ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { n: 1 } }],
    [
      { _id: 3, n: 3 },
      { _id: 2, n: 2 },
    ],
  ],
  [
    '$limit before $sort',
    [{ $limit: 2 }, { $sort: { n: -1 } }, { $project: { n: 1 } }],
    [
      { _id: 2, n: 2 },
      { _id: 1, n: 1 },
    ],
  ],
  ['$skip after another stage', [{ $project: { n: 1 } }, { $skip: 3 }], [{ _id: 4, n: 4 }]],
  ['$skip of all', [{ $project: { n: 1 } }, { $skip: 9 }], []],
  [
    '$unwind',
    [{ $unwind: '$l' }, { $project: { l: 1 } }],
    [
      { _id: 1, l: 1 },
      { _id: 1, l: 2 },
    ],
  ],
  [
    '$unwind that keeps',
    [{ $unwind: { path: '$l', preserveNullAndEmptyArrays: true } }, { $project: { l: 1 } }],
    [{ _id: 1, l: 1 }, { _id: 1, l: 2 }, { _id: 2 }, { _id: 3 }, { _id: 4, l: null }],
  ],
  [
    '$unwind that keeps does not make the documents on the way',
    [{ $skip: 3 }, { $unwind: { path: '$zz.l', preserveNullAndEmptyArrays: true } }, { $project: { o: 0 } }],
    [{ _id: 4, k: 'b', n: 4, l: null }],
  ],
  [
    '$unwind with positions',
    [{ $unwind: { path: '$l', includeArrayIndex: 'i' } }, { $project: { l: 1, i: 1 } }],
    [
      { _id: 1, l: 1, i: Long.ZERO },
      { _id: 1, l: 2, i: Long.ONE },
    ],
  ],
  [
    '$unwind in a document',
    [{ $unwind: '$o.l' }, { $project: { o: 1 } }],
    [
      { _id: 1, o: { x: 1, l: 7 } },
      { _id: 1, o: { x: 1, l: 8 } },
    ],
  ],
  [
    '$unwind with positions of what is no list',
    [{ $unwind: { path: '$n', includeArrayIndex: 'i' } }, { $limit: 1 }, { $project: { i: 1 } }],
    [{ _id: 1, i: null }],
  ],
  ['$unwind of a scalar', [{ $unwind: '$n' }, { $limit: 1 }, { $project: { n: 1 } }], [{ _id: 1, n: 1 }]],
  ['$count', [{ $match: { k: 'a' } }, { $count: 'total' }], [{ total: 2 }]],
  ['$count of nothing', [{ $match: { k: 'z' } }, { $count: 'total' }], []],
  [
    '$group',
    [{ $group: { _id: '$k', sum: { $sum: '$n' }, all: { $push: '$n' } } }, { $sort: { _id: 1 } }],
    [
      { _id: 'a', sum: 4, all: [1, 3] },
      { _id: 'b', sum: 6, all: [2, 4] },
    ],
  ],
  [
    '$group by a document',
    [{ $group: { _id: { k: '$k' }, first: { $first: '$n' }, last: { $last: '$n' } } }, { $sort: { '_id.k': 1 } }],
    [
      { _id: { k: 'a' }, first: 1, last: 3 },
      { _id: { k: 'b' }, first: 2, last: 4 },
    ],
  ],
  ['$group by a missing field', [{ $group: { _id: '$zz', n: { $sum: 1 } } }], [{ _id: null, n: 4 }]],
  [
    '$group by a field of a missing document',
    [{ $group: { _id: { z: '$z.z' }, n: { $sum: 1 } } }],
    [{ _id: {}, n: 4 }],
  ],
  ['as countDocuments sends it', [{ $match: { k: 'a' } }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 2 }]],
  ['the same after a $limit', [{ $limit: 3 }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 3 }]],
  ['the same of nothing', [{ $match: { k: 'z' } }, { $group: { _id: 1, n: { $sum: 1 } } }], []],
  ['$addToSet', [...all({ $addToSet: '$k' }), { $unwind: '$v' }, { $count: 'n' }], [{ n: 2 }]],
  ['$min and $max', [{ $group: { _id: null, a: { $min: '$n' }, b: { $max: '$n' } } }], [{ _id: null, a: 1, b: 4 }]],
  ['$first and $last of a missing field', all({ $first: '$l.zz' }), [{ _id: null, v: [] }]],
  ['$last of null', all({ $last: '$l' }), [{ _id: null, v: null }]],
  ['$push leaves out what is missing', all({ $push: '$l' }), [{ _id: null, v: [[1, 2], [], null] }]],
  ['$min leaves out null and what is missing', all({ $min: '$l' }), [{ _id: null, v: [] }]],
  ['$min of nothing', all({ $min: '$zz' }), [{ _id: null, v: null }]],
]);

describe('$sum', () => {
  const big = Long.MAX_VALUE;
  const decimal = (text: string) => Decimal128.fromString(text);
  test.each<[string, unknown[], unknown]>([
    ['ints', [1, 2], new Int32(3)],
    ['ints beyond 32 bits', [2147483647, 1], Long.fromNumber(2147483648)],
    ['longs exactly', [Long.fromString('9007199254740993'), 2], Long.fromString('9007199254740995')],
    ['longs beyond 64 bits', [big, big], new Double(18446744073709552000)],
    ['longs that come back into 64 bits', [big, big, Long.MIN_VALUE], Long.fromString('9223372036854775806')],
    ['a double', [1, new Double(2)], new Double(3)],
    ['doubles without their rounding errors', Array(10).fill(new Double(0.1)), new Double(1)],
    ['a long and a double', [Long.fromString('9007199254740993'), new Double(1)], new Double(9007199254740994)],
    ['infinity', [new Double(Infinity), 1], new Double(Infinity)],
    ['both infinities', [new Double(Infinity), new Double(-Infinity)], new Double(NaN)],
    ['decimals', [decimal('0.1'), decimal('0.2'), 1], decimal('1.3')],
    ['what is no number', ['x', null, [5], undefined], new Int32(0)],
  ])('%s', async (_name, values, expected) => {
    const collection = bench.fresh();
    await collection.insertMany(values.map((a) => (a === undefined ? {} : { a })));
    const [found] = await collection.aggregate(all({ $sum: '$a' }), TYPED).toArray();
    expectSame(found, { _id: null, v: expected });
  });
});

describe('refusals', () => {
  test.each<[string, unknown[], number]>([
    ['two stages in one', [{ $match: {}, $limit: 1 }], 40323],
    ['$limit 0', [{ $limit: 0 }], 15958],
    ['$group without _id', [{ $group: { n: { $sum: 1 } } }], 15955],
    ['$group with a plain field', [{ $group: { _id: 1, n: '$a' } }], 40234],
    ['$group of an empty path', [{ $group: { _id: '$a.' } }], 40353],
    ['$unwind without a dollar', [{ $unwind: 'l' }], 28818],
    ['$unwind with an unknown option', [{ $unwind: { path: '$l', foo: 1 } }], 28811],
    ['$unwind that keeps by a number', [{ $unwind: { path: '$l', preserveNullAndEmptyArrays: 1 } }], 28809],
    ['$count with a dollar', [{ $count: '$n' }], 40158],
    ['$project of nothing', [{ $project: {} }], 51272],
    ['$project that mixes', [{ $project: { a: 1, b: 0 } }], 31254],
    ['$sort of nothing', [{ $sort: {} }], 15976],
    ['$match of text', [{ $match: 'x' }], 15959],
  ])('%s is refused', async (name, pipeline, code) => {
    const collection = bench.fresh();
    await collection.insertOne({ t: 'x' });
    expect([name, await codeOf(collection.aggregate(pipeline as Document[]).toArray())]).toEqual([name, code]);
  });

  test('a cursor is required', async () => {
    expect(await codeOf(bench.db.command({ aggregate: 'x', pipeline: [] }))).toBe(9);
  });
});

import { describe } from '@jest/globals';
import { Decimal128, Double, Long, ObjectId } from 'bson';
import { codeOf, type Document, embedded, expect, expectSame, openDatabase, TYPED, test } from './harness.ts';

const bench = openDatabase('aggregate');
const day = (n: number) => new Date(Date.UTC(2024, 0, n, 10, 20, 30, 400));

describe('stages', () => {
  const DOCS = [
    { _id: 1, k: 'a', n: 1, l: [1, 2], o: { x: 1 } },
    { _id: 2, k: 'b', n: 2, l: [], o: { x: 2 } },
    { _id: 3, k: 'a', n: 3, o: { x: 3 } },
    { _id: 4, k: 'b', n: 4, l: null, o: { x: 4 } },
  ];
  test.each<[string, Document[], Document[]]>([
    [
      '$match',
      [{ $match: { n: { $gt: 2 } } }, { $project: { n: 1 } }],
      [
        { _id: 3, n: 3 },
        { _id: 4, n: 4 },
      ],
    ],
    ['$match after another stage', [{ $project: { n: 1 } }, { $match: { n: 1 } }], [{ _id: 1, n: 1 }]],
    ['$project', [{ $limit: 1 }, { $project: { _id: 0, k: 1, z: { $add: ['$n', 1] } } }], [{ k: 'a', z: 2 }]],
    ['$project exclusion', [{ $limit: 1 }, { $project: { l: 0, o: 0 } }], [{ _id: 1, k: 'a', n: 1 }]],
    ['$project of a nested expression', [{ $limit: 1 }, { $project: { 'o.y': '$n' } }], [{ _id: 1, o: { y: 1 } }]],
    [
      '$addFields',
      [{ $limit: 1 }, { $addFields: { 'o.y': { $multiply: ['$n', 10] }, z: 1 } }, { $project: { l: 0 } }],
      [{ _id: 1, k: 'a', n: 1, o: { x: 1, y: 10 }, z: 1 }],
    ],
    ['$set with $$REMOVE', [{ $limit: 1 }, { $set: { l: '$$REMOVE', o: '$$REMOVE' } }], [{ _id: 1, k: 'a', n: 1 }]],
    ['$unset', [{ $limit: 1 }, { $unset: ['l', 'o.x'] }], [{ _id: 1, k: 'a', n: 1, o: {} }]],
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
    [
      '$group',
      [{ $group: { _id: '$k', sum: { $sum: '$n' }, all: { $push: '$n' } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', sum: 4, all: [1, 3] },
        { _id: 'b', sum: 6, all: [2, 4] },
      ],
    ],
    [
      '$group of all',
      [{ $group: { _id: null, n: { $sum: 1 }, avg: { $avg: '$n' }, min: { $min: '$n' }, max: { $max: '$n' } } }],
      [{ _id: null, n: 4, avg: 2.5, min: 1, max: 4 }],
    ],
    [
      '$group by a document',
      [{ $group: { _id: { k: '$k' }, first: { $first: '$n' }, last: { $last: '$n' } } }, { $sort: { '_id.k': 1 } }],
      [
        { _id: { k: 'a' }, first: 1, last: 3 },
        { _id: { k: 'b' }, first: 2, last: 4 },
      ],
    ],
    [
      '$group with $addToSet',
      [
        { $group: { _id: null, ks: { $addToSet: '$k' } } },
        { $set: { ks: { $sortArray: { input: '$ks', sortBy: 1 } } } },
      ],
      [{ _id: null, ks: ['a', 'b'] }],
    ],
    [
      '$group with $count',
      [{ $group: { _id: '$k', n: { $count: {} } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', n: 2 },
        { _id: 'b', n: 2 },
      ],
    ],
    [
      '$group with $mergeObjects',
      [{ $group: { _id: null, o: { $mergeObjects: '$o' } } }],
      [{ _id: null, o: { x: 4 } }],
    ],
    [
      '$group with $top',
      [{ $group: { _id: '$k', t: { $top: { sortBy: { n: -1 }, output: '$n' } } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', t: 3 },
        { _id: 'b', t: 4 },
      ],
    ],
    [
      '$group with $firstN',
      [{ $group: { _id: null, t: { $firstN: { input: '$n', n: 2 } } } }],
      [{ _id: null, t: [1, 2] }],
    ],
    ['$group with $maxN', [{ $group: { _id: null, t: { $maxN: { input: '$n', n: 2 } } } }], [{ _id: null, t: [4, 3] }]],
    ['$group of a missing field', [{ $group: { _id: '$zz', n: { $sum: 1 } } }], [{ _id: null, n: 4 }]],
    ['$sum of a value that is not a number', [{ $group: { _id: null, n: { $sum: '$k' } } }], [{ _id: null, n: 0 }]],
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
      '$unwind with positions',
      [{ $unwind: { path: '$l', includeArrayIndex: 'i' } }, { $project: { l: 1, i: 1 } }],
      [
        { _id: 1, l: 1, i: Long.ZERO },
        { _id: 1, l: 2, i: Long.ONE },
      ],
    ],
    ['$unwind of a scalar', [{ $unwind: '$n' }, { $limit: 1 }, { $project: { n: 1 } }], [{ _id: 1, n: 1 }]],
    ['$count', [{ $match: { k: 'a' } }, { $count: 'total' }], [{ total: 2 }]],
    ['$count of nothing', [{ $match: { k: 'z' } }, { $count: 'total' }], []],
    [
      '$sortByCount',
      [{ $match: { _id: { $lt: 4 } } }, { $sortByCount: '$k' }],
      [
        { _id: 'a', count: 2 },
        { _id: 'b', count: 1 },
      ],
    ],
    ['$replaceRoot', [{ $limit: 1 }, { $replaceRoot: { newRoot: '$o' } }], [{ x: 1 }]],
    ['$replaceWith', [{ $limit: 1 }, { $replaceWith: { a: '$n' } }], [{ a: 1 }]],
    [
      '$facet',
      [{ $facet: { a: [{ $match: { k: 'a' } }, { $count: 'n' }], b: [{ $limit: 1 }, { $project: { _id: 1 } }] } }],
      [{ a: [{ n: 2 }], b: [{ _id: 1 }] }],
    ],
    [
      '$bucket',
      [{ $bucket: { groupBy: '$n', boundaries: [0, 2, 5], default: 'x' } }],
      [
        { _id: 0, count: 1 },
        { _id: 2, count: 3 },
      ],
    ],
    ['$sample of all', [{ $sample: { size: 10 } }, { $count: 'n' }], [{ n: 4 }]],
  ])('%s', async (_name, pipeline, expected) => {
    const collection = bench.fresh();
    await collection.insertMany(DOCS as never[]);
    expectSame(await collection.aggregate(pipeline, TYPED).toArray(), expected);
  });

  test('$lookup, $unionWith and $graphLookup', async () => {
    const [orders, items] = [bench.fresh(), bench.fresh()];
    await orders.insertMany([{ _id: 1, item: 'a' }, { _id: 2, item: 'b' }, { _id: 3 }] as never[]);
    await items.insertMany([
      { _id: 1, sku: 'a', q: 5 },
      { _id: 2, sku: 'a', q: 9 },
      { _id: 3, sku: null, q: 1 },
    ] as never[]);
    const from = items.collectionName;
    expectSame(
      await orders
        .aggregate([
          { $lookup: { from, localField: 'item', foreignField: 'sku', as: 'f' } },
          { $project: { f: '$f._id' } },
        ])
        .toArray(),
      [
        { _id: 1, f: [1, 2] },
        { _id: 2, f: [] },
        { _id: 3, f: [3] },
      ],
    );
    expectSame(
      await orders
        .aggregate([
          {
            $lookup: {
              from,
              let: { i: '$item' },
              pipeline: [
                { $match: { $expr: { $and: [{ $eq: ['$sku', '$$i'] }, { $gt: ['$q', 6] }] } } },
                { $project: { _id: 1 } },
              ],
              as: 'f',
            },
          },
          { $project: { f: 1 } },
        ])
        .toArray(),
      [
        { _id: 1, f: [{ _id: 2 }] },
        { _id: 2, f: [] },
        { _id: 3, f: [] },
      ],
    );
    expectSame(
      await orders
        .aggregate([
          { $lookup: { from, localField: 'item', foreignField: 'sku', pipeline: [{ $match: { q: 5 } }], as: 'f' } },
          { $match: { _id: 1 } },
          { $project: { f: '$f.q' } },
        ])
        .toArray(),
      [{ _id: 1, f: [5] }],
    );
    expectSame(await orders.aggregate([{ $unionWith: from }, { $count: 'n' }]).toArray(), [{ n: 6 }]);
    const people = bench.fresh();
    await people.insertMany([{ _id: 'a' }, { _id: 'b', boss: 'a' }, { _id: 'c', boss: 'b' }] as never[]);
    const [found] = await people
      .aggregate([
        { $match: { _id: 'c' as never } },
        {
          $graphLookup: {
            from: people.collectionName,
            startWith: '$boss',
            connectFromField: 'boss',
            connectToField: '_id',
            as: 'up',
          },
        },
      ])
      .toArray();
    expect(found!.up.map((item: Document) => item._id).sort()).toEqual(['a', 'b']);
  });

  test('$out replaces, $merge adds', async () => {
    const [from, to] = [bench.fresh(), bench.fresh()];
    await from.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ] as never[]);
    await to.insertOne({ _id: 9 as never });
    await to.createIndex({ a: 1 });
    await from.aggregate([{ $match: { a: 1 } }, { $out: to.collectionName }]).toArray();
    expectSame(await to.find({}).toArray(), [{ _id: 1, a: 1 }]);
    expect((await to.indexes()).length).toBe(2);
    await from.aggregate([{ $set: { b: 1 } }, { $merge: { into: to.collectionName } }]).toArray();
    expectSame(await to.find({}).sort({ _id: 1 }).toArray(), [
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 2, b: 1 },
    ]);
    await from
      .aggregate([
        { $project: { c: 1 } },
        { $merge: { into: to.collectionName, whenMatched: 'keepExisting', whenNotMatched: 'discard' } },
      ])
      .toArray();
    expect(await to.countDocuments({ b: 1 })).toBe(2);
    expect(await codeOf(from.aggregate([{ $merge: { into: to.collectionName, whenMatched: 'fail' } }]).toArray())).toBe(
      11000,
    );
  });

  /** Variants of borrowed operators that would give wrong answers; a MongoDB has them. */
  const onEmbedded = embedded ? test : test.skip;
  onEmbedded.each<[Document]>([
    [{ $dateAdd: { startDate: '$d', unit: 'month', amount: 1 } }],
    [{ $dateAdd: { startDate: '$d', unit: 'day', amount: 1, timezone: 'Europe/London' } }],
    [{ $dateSubtract: { startDate: '$d', unit: 'fortnight', amount: 1 } }],
    [{ $dateAdd: { startDate: '$d', unit: 'day', amount: 1.5 } }],
    [{ $dateToString: { date: '$d', format: '%G-%V' } }],
    [{ $dateToString: { date: '$d', timezone: 'Europe/Paris' } }],
    [{ $dateToParts: { date: '$d', iso8601: true } }],
    [{ $dateFromParts: { isoWeekYear: 2024 } }],
    [{ $week: '$d' }],
    [{ $isoWeekYear: '$d' }],
  ])('%j is refused', async (expression) => {
    const collection = bench.fresh();
    await collection.insertOne({ d: new Date(0) });
    expect(await codeOf(collection.aggregate([{ $project: { v: expression } }]).toArray())).toBe(115);
  });

  test.each<[string, unknown[], number]>([
    ['an unknown stage', [{ $foo: 1 }], 40324],
    ['two stages in one', [{ $match: {}, $limit: 1 }], 40323],
    ['$limit 0', [{ $limit: 0 }], 15958],
    ['$group without _id', [{ $group: { n: { $sum: 1 } } }], 15955],
    ['$group with an unknown accumulator', [{ $group: { _id: 1, n: { $foo: 1 } } }], 15952],
    ['$group with a plain field', [{ $group: { _id: 1, n: '$a' } }], 40234],
    ['$unwind without a dollar', [{ $unwind: 'l' }], 28818],
    ['$count with a dollar', [{ $count: '$n' }], 40158],
    ['$project of nothing', [{ $project: {} }], 51272],
    ['$sort of nothing', [{ $sort: {} }], 15976],
    ['an unknown expression', [{ $set: { a: { $foo: 1 } } }], 168],
    ['division by zero', [{ $set: { a: { $divide: [1, 0] } } }], 2],
    ['$add of text', [{ $set: { a: { $add: ['$t', 1] } } }], 14],
    ['too many arguments', [{ $set: { a: { $subtract: [1, 2, 3] } } }], 16020],
    ['$replaceRoot by a scalar', [{ $replaceRoot: { newRoot: '$t' } }], 40228],
    ['an undefined variable', [{ $set: { a: '$$nope' } }], 17276],
    ['an unknown part of a stage', [{ $bucket: { groupBy: '$a', boundaries: [0, 1], foo: 1 } }], 40197],
    [
      'an unknown part of an accumulator',
      [{ $group: { _id: 1, a: { $top: { sortBy: { a: 1 }, output: 1, n: 1 } } } }],
      5788002,
    ],
    ['a long that 64 bits do not hold', [{ $set: { a: { $toLong: '9223372036854775808' } } }], 241],
    [
      'a pattern without end',
      [{ $set: { a: { $regexMatch: { input: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', regex: '(a+)+$' } } } }],
      51156,
    ],
    ['$out in the middle', [{ $out: 'x' }, { $limit: 1 }], 40601],
    ['text that is not a date', [{ $set: { a: { $toDate: 'foo 1' } } }], 241],
    ['a day that its month has not', [{ $set: { a: { $toDate: '2023-02-30' } } }], 241],
    ['a number beyond all dates', [{ $set: { a: { $toDate: { $multiply: [1e200, 10] } } } }], 241],
    ['an invalid date string', [{ $set: { a: { $dateFromString: { dateString: 'nope' } } } }], 241],
  ])('%s is refused', async (name, pipeline, code) => {
    const collection = bench.fresh();
    await collection.insertOne({ t: 'x' });
    expect([name, await codeOf(collection.aggregate(pipeline as Document[]).toArray())]).toEqual([name, code]);
  });

  test.each<[string, Document]>([
    ['$bucketAuto', { $bucketAuto: { groupBy: '$n', buckets: 2 } }],
    ['$redact', { $redact: { $cond: [{ $gt: ['$n', 3] }, '$$KEEP', '$$PRUNE'] } }],
  ])('%s does not exist', async (_name, stage) => {
    const collection = bench.fresh();
    await collection.insertOne({ n: 4 });
    const asked = collection.aggregate([stage]).toArray();
    if (!embedded) await expect(asked).resolves.toHaveLength(1);
    else await expect(asked).rejects.toMatchObject({ code: 115 });
  });

  test('a cursor is required', async () => {
    expect(await codeOf(bench.db.command({ aggregate: 'x', pipeline: [] }))).toBe(9);
  });
});

describe('expressions', () => {
  const DOC = {
    _id: 1,
    i: 5,
    d: 2.5,
    l: Long.fromString('9007199254740993'),
    m: Decimal128.fromString('0.1'),
    s: 'Hello',
    u: 'äöü',
    a: [3, 1, 2],
    e: [],
    docs: [{ x: 1 }, { x: 2 }],
    o: { p: 1, q: 'x' },
    n: null,
    t: day(5),
    b: true,
  };
  test.each<[string, unknown, unknown]>([
    ['$add', { $add: ['$i', 1, 2] }, 8],
    ['$add int and double', { $add: ['$i', new Double(0.5)] }, new Double(5.5)],
    ['$add of longs is exact', { $add: ['$l', 2] }, Long.fromString('9007199254740995')],
    ['$add of decimals', { $add: ['$m', Decimal128.fromString('0.2')] }, Decimal128.fromString('0.3')],
    ['$add with null', { $add: ['$n', 1] }, null],
    ['$add to a date', { $add: ['$t', 1000] }, new Date(day(5).getTime() + 1000)],
    ['$subtract', { $subtract: ['$i', 7] }, -2],
    ['$subtract of dates', { $subtract: ['$t', day(4)] }, Long.fromNumber(86400000)],
    ['$multiply overflows into long', { $multiply: [2147483647, 2] }, Long.fromNumber(4294967294)],
    ['$divide', { $divide: ['$i', 2] }, new Double(2.5)],
    ['$mod', { $mod: ['$i', 3] }, 2],
    ['$abs', { $abs: -4 }, 4],
    ['$ceil', { $ceil: '$d' }, new Double(3)],
    ['$floor', { $floor: '$d' }, new Double(2)],
    ['$round half to even', { $round: '$d' }, new Double(2)],
    ['$round to a place', { $round: [1.256, 2] }, new Double(1.26)],
    ['$trunc', { $trunc: [-2.7] }, new Double(-2)],
    ['$pow', { $pow: ['$i', 2] }, 25],
    ['$pow overflows into long', { $pow: [2, 40] }, Long.fromString('1099511627776')],
    ['$pow of one', { $pow: [1, 1000] }, 1],
    ['$floor of very little', { $floor: new Double(1e-7) }, new Double(0)],
    ['$round of very little', { $round: [new Double(1e-7), 7] }, new Double(1e-7)],
    ['$toUpper of null', { $toUpper: '$n' }, ''],
    ['$indexOfCP of nothing, beyond the end', { $indexOfCP: ['$s', '', 9] }, -1],
    ['$indexOfBytes counts bytes', { $indexOfBytes: ['$u', 'ü', 1] }, 4],
    ['$slice of null', { $slice: ['$n', 1] }, null],
    ['$sqrt', { $sqrt: 16 }, new Double(4)],
    ['$cmp', { $cmp: ['$i', 9] }, -1],
    ['$eq across types', { $eq: ['$i', new Double(5)] }, true],
    ['$gt by types', { $gt: ['$s', '$i'] }, true],
    ['missing is below null', { $lt: ['$zz', null] }, true],
    ['$and and $or', { $and: ['$b', { $or: [false, '$i'] }] }, true],
    ['$not', { $not: ['$b'] }, false],
    // biome-ignore lint/suspicious/noThenProperty: the operator's own word
    ['$cond', { $cond: { if: { $gt: ['$i', 3] }, then: 'big', else: 'small' } }, 'big'],
    ['$ifNull', { $ifNull: ['$n', '$zz', 'x'] }, 'x'],
    [
      '$switch',
      {
        $switch: {
          branches: [
            // biome-ignore lint/suspicious/noThenProperty: the operator's own word
            { case: { $eq: ['$i', 1] }, then: 1 },
            // biome-ignore lint/suspicious/noThenProperty: the operator's own word
            { case: true, then: 2 },
          ],
          default: 3,
        },
      },
      2,
    ],
    ['$let', { $let: { vars: { x: '$i' }, in: { $add: ['$$x', 1] } } }, 6],
    ['$literal', { $literal: { $add: [1, 2] } }, { $add: [1, 2] }],
    ['$map', { $map: { input: '$a', as: 'v', in: { $multiply: ['$$v', 2] } } }, [6, 2, 4]],
    ['$map of null', { $map: { input: '$n', in: 1 } }, null],
    ['$filter', { $filter: { input: '$a', as: 'v', cond: { $gt: ['$$v', 1] } } }, [3, 2]],
    ['$filter with limit', { $filter: { input: '$a', cond: { $gt: ['$$this', 0] }, limit: 1 } }, [3]],
    ['$reduce', { $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
    ['$size', { $size: '$a' }, 3],
    ['$arrayElemAt', { $arrayElemAt: ['$a', -1] }, 2],
    ['$first and $last', [{ $first: '$a' }, { $last: '$a' }], [3, 2]],
    ['$slice', { $slice: ['$a', 1, 2] }, [1, 2]],
    ['$in', { $in: [2, '$a'] }, true],
    ['$concatArrays', { $concatArrays: ['$a', [9]] }, [3, 1, 2, 9]],
    ['$reverseArray', { $reverseArray: '$a' }, [2, 1, 3]],
    ['$sortArray', { $sortArray: { input: '$a', sortBy: -1 } }, [3, 2, 1]],
    ['$range', { $range: [0, 5, 2] }, [0, 2, 4]],
    ['$indexOfArray', { $indexOfArray: ['$a', 1] }, 1],
    ['$isArray', { $isArray: '$a' }, true],
    [
      '$zip',
      { $zip: { inputs: ['$a', [7, 8, 9]] } },
      [
        [3, 7],
        [1, 8],
        [2, 9],
      ],
    ],
    [
      '$zip of the longest',
      { $zip: { inputs: ['$a', [7]], useLongestLength: true, defaults: [0, 9] } },
      [
        [3, 7],
        [1, 9],
        [2, 9],
      ],
    ],
    ['$setUnion', { $setUnion: ['$a', [3, 4]] }, [1, 2, 3, 4]],
    ['$setIntersection', { $setIntersection: ['$a', [3, 4]] }, [3]],
    ['$setIsSubset', { $setIsSubset: [[1], '$a'] }, true],
    ['a path over an array', '$docs.x', [1, 2]],
    ['$sum over an array', { $sum: '$docs.x' }, 3],
    ['$max over values', { $max: ['$i', 9] }, 9],
    ['$avg over an array', { $avg: '$a' }, new Double(2)],
    ['$concat', { $concat: ['$s', ' ', 'w'] }, 'Hello w'],
    ['$concat with null', { $concat: ['$s', '$n'] }, null],
    ['$toUpper and $toLower', [{ $toUpper: '$s' }, { $toLower: '$s' }], ['HELLO', 'hello']],
    ['$substrCP', { $substrCP: ['$s', 1, 3] }, 'ell'],
    ['$strLenCP and $strLenBytes', [{ $strLenCP: '$u' }, { $strLenBytes: '$u' }], [3, 6]],
    ['$split', { $split: ['a-b-c', '-'] }, ['a', 'b', 'c']],
    ['$trim', { $trim: { input: '  x ' } }, 'x'],
    ['$indexOfCP', { $indexOfBytes: ['$s', 'l'] }, 2],
    ['$replaceAll', { $replaceAll: { input: '$s', find: 'l', replacement: 'L' } }, 'HeLLo'],
    ['$regexMatch', { $regexMatch: { input: '$s', regex: '^hel', options: 'i' } }, true],
    ['$regexFind', { $regexFind: { input: '$u', regex: '(ü)(x)?' } }, { match: 'ü', idx: 2, captures: ['ü', null] }],
    [
      '$regexFindAll of a pattern that matches nothing',
      { $map: { input: { $regexFindAll: { input: 'aa', regex: 'b*' } }, in: '$$this.idx' } },
      [0, 1, 2],
    ],
    ['$percentile', { $percentile: { input: '$a', p: [0.5], method: 'approximate' } }, [new Double(2)]],
    ['$maxN keeps the type', { $maxN: { input: ['$l', 1, '$n'], n: 2 } }, [Long.fromString('9007199254740993'), 1]],
    ['$convert to null', { $convert: { input: '$i', to: '$n' } }, null],
    ['$strcasecmp', { $strcasecmp: ['$s', 'hello'] }, 0],
    ['$toString', [{ $toString: '$i' }, { $toString: '$b' }], ['5', 'true']],
    ['$toInt', { $toInt: '42' }, 42],
    ['$toLong', { $toLong: '9007199254740993' }, Long.fromString('9007199254740993')],
    ['$toDouble', { $toDouble: '1.5' }, new Double(1.5)],
    ['$toDecimal', { $toDecimal: '0.1' }, Decimal128.fromString('0.1')],
    ['$toBool', { $toBool: 0 }, false],
    ['$toDate', { $toDate: '2024-01-05T10:20:30.400Z' }, day(5)],
    ['$toObjectId', { $toObjectId: '0123456789abcdef01234567' }, new ObjectId('0123456789abcdef01234567')],
    ['$convert with onError', { $convert: { input: 'x', to: 'int', onError: -1 } }, -1],
    ['$type', [{ $type: '$i' }, { $type: '$zz' }, { $type: '$l' }], ['int', 'missing', 'long']],
    ['$mergeObjects', { $mergeObjects: ['$o', { q: 'y', z: 1 }] }, { p: 1, q: 'y', z: 1 }],
    [
      '$objectToArray',
      { $objectToArray: '$o' },
      [
        { k: 'p', v: 1 },
        { k: 'q', v: 'x' },
      ],
    ],
    ['$arrayToObject', { $arrayToObject: [[['k', 1]]] }, { k: 1 }],
    ['$getField', { $getField: { field: 'p', input: '$o' } }, 1],
    ['$setField', { $setField: { field: 'z', input: '$o', value: 5 } }, { p: 1, q: 'x', z: 5 }],
    [
      'parts of a date',
      [
        { $year: '$t' },
        { $month: '$t' },
        { $dayOfMonth: '$t' },
        { $hour: '$t' },
        { $minute: '$t' },
        { $second: '$t' },
        { $millisecond: '$t' },
      ],
      [2024, 1, 5, 10, 20, 30, 400],
    ],
    ['$dayOfWeek', { $dayOfWeek: '$t' }, 6],
    ['$dateToString', { $dateToString: { date: '$t', format: '%Y-%m-%d' } }, '2024-01-05'],
    ['$dateTrunc', { $dateTrunc: { date: '$t', unit: 'day' } }, new Date(Date.UTC(2024, 0, 5))],
    ['$dateAdd', { $dateAdd: { startDate: '$t', unit: 'hour', amount: 2 } }, new Date(day(5).getTime() + 7_200_000)],
    ['$toDate of a day', { $toDate: '2024-02-29' }, new Date(Date.UTC(2024, 1, 29))],
    [
      '$toDate with a zone',
      { $toDate: '2024-01-05T10:20:30.400+02:00' },
      new Date(Date.UTC(2024, 0, 5, 8, 20, 30, 400)),
    ],
    ['$dateFromParts', { $dateFromParts: { year: 2024, month: 2, day: 3 } }, new Date(Date.UTC(2024, 1, 3))],
    ['$$ROOT', '$$ROOT._id', 1],
    ['a document of expressions', { x: '$i', y: { z: '$zz' } }, { x: 5, y: {} }],
    ['an array of expressions', ['$i', '$zz'], [5, null]],
  ])('%s', async (_name, expression, expected) => {
    const collection = bench.fresh();
    await collection.insertOne(DOC as never);
    const [found] = await collection
      .aggregate(
        [{ $project: { _id: 0, v: Array.isArray(expression) ? { $let: { vars: {}, in: expression } } : expression } }],
        TYPED,
      )
      .toArray();
    expectSame(found!.v, expected);
  });
});

test('an error in a borrowed stage is refused without internal details', async () => {
  const collection = bench.fresh();
  await collection.insertMany([
    { a: 1, p: null },
    { a: 2, p: 1 },
  ] as never[]);
  const asked = collection.aggregate([{ $fill: { sortBy: { a: 1 }, output: { p: { method: 'linear' } } } }]).toArray();
  if (!embedded) await expect(asked).resolves.toHaveLength(2);
  else await expect(asked).rejects.toMatchObject({ code: 115, message: expect.stringContaining('$fill') });
});

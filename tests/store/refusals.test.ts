import { describe } from '@jest/globals';
import { type Document, embedded, expect, expectSame, openDatabase, test } from './harness.ts';

const bench = openDatabase('refusals');

/** What a MongoDB has and the embedded store refuses by name, before anything changes. */
const onEmbedded = embedded ? describe : describe.skip;

const stages = (...names: string[]): [string, Document][] =>
  names.map((name) => [name, { aggregate: 'c', pipeline: [{ [name]: {} }], cursor: {} }]);
const expressions: [string, unknown][] = [
  ['{$add: …}', { $add: ['$a', 1] }],
  ['$$ROOT', '$$ROOT'],
  ['an array', ['$a']],
];
const group = (field: string, spec: Document): Document => ({
  aggregate: 'c',
  pipeline: [{ $group: { _id: null, [field]: spec } }],
  cursor: {},
});
const filter = (q: Document): [string, Document] => [JSON.stringify(q), { find: 'c', filter: q }];
const update = (u: Document | Document[], more: Document = {}): [string, Document] => [
  JSON.stringify({ u, ...more }),
  { update: 'c', updates: [{ q: { _id: 1 }, u, upsert: true, ...more }] },
];
const remove = (more: Document): [string, Document] => [
  JSON.stringify({ remove: more }),
  { delete: 'c', deletes: [{ q: {}, limit: 0, ...more }] },
];
const projection = (spec: Document): [string, Document] => [
  `projection ${JSON.stringify(spec)}`,
  { find: 'c', projection: spec },
];
const index = (more: Document): [string, Document] => [
  `index ${JSON.stringify(more)}`,
  { createIndexes: 'c', indexes: [{ key: { b: 1 }, name: 'b_1', ...more }] },
];
const COLLATION = { locale: 'en' };

onEmbedded('refused, with nothing changed', () => {
  test.each<[string, Document]>([
    ...stages('$lookup', '$graphLookup', '$unionWith', '$facet', '$bucket', '$bucketAuto', '$sortByCount', '$sample'),
    ...stages(
      '$addFields',
      '$set',
      '$unset',
      '$replaceRoot',
      '$replaceWith',
      '$redact',
      '$out',
      '$merge',
      '$documents',
    ),
    ...stages('$densify', '$fill', '$setWindowFields', '$collStats', '$indexStats', '$changeStream', '$geoNear'),
    ...stages('$search', '$foo'),
    ['an aggregation of the database', { aggregate: 1, pipeline: [{ $documents: [] }], cursor: {} }],
    ['aggregate with explain', { aggregate: 'c', pipeline: [], explain: true }],
    ['aggregate with let', { aggregate: 'c', pipeline: [], cursor: {}, let: { x: 1 } }],
    ['aggregate with a collation', { aggregate: 'c', pipeline: [], cursor: {}, collation: COLLATION }],
    ['a computed $project', { aggregate: 'c', pipeline: [{ $project: { b: '$a' } }], cursor: {} }],
    ...['$avg', '$count', '$top', '$firstN', '$mergeObjects', '$stdDevPop', '$accumulator', '$foo'].map(
      (name): [string, Document] => [`the accumulator ${name}`, group('v', { [name]: '$a' })],
    ),
    ...expressions.map(([name, spec]): [string, Document] => [`$sum of ${name}`, group('v', { $sum: spec })]),
    ['a group by an expression', { aggregate: 'c', pipeline: [{ $group: { _id: { $year: '$a' } } }], cursor: {} }],
    filter({ $expr: { $eq: ['$a', 1] } }),
    filter({ $where: 'true' }),
    filter({ $text: { $search: 'x' } }),
    filter({ $jsonSchema: {} }),
    filter({ a: { $mod: [2, 0] } }),
    filter({ a: { $bitsAllSet: 1 } }),
    filter({ a: { $near: [0, 0] } }),
    ...['collation', 'let', 'min', 'max', 'returnKey', 'showRecordId'].map((name): [string, Document] => [
      `find with ${name}`,
      { find: 'c', [name]: { locale: 'en' } },
    ]),
    projection({ a: { $slice: 1 } }),
    projection({ a: { $elemMatch: { b: 1 } } }),
    projection({ 'a.$': 1 }),
    projection({ b: '$a' }),
    projection({ b: { $add: ['$a', 1] } }),
    projection({ b: { $meta: 'textScore' } }),
    ['a sort by $meta', { find: 'c', sort: { a: { $meta: 'textScore' } } }],
    update({ $set: { 'l.$': 1 } }),
    update({ $set: { 'l.$[]': 1 } }),
    update({ $set: { 'l.$[e]': 1 } }, { arrayFilters: [{ e: 1 }] }),
    update({ $set: { 'l.$.m.$.n': 1 } }),
    update([{ $set: { a: 2 } }]),
    update({ $mul: { a: 2 } }),
    update({ $rename: { a: 'b' } }),
    update({ $bit: { a: { and: 1 } } }),
    update({ $push: { l: { $each: [1], $sort: 1 } } }),
    update({ $set: { a: 2 } }, { collation: COLLATION }),
    update({ $set: { a: 2 } }, { c: { x: 1 } }),
    remove({ collation: COLLATION }),
    ['update with let', { update: 'c', updates: [{ q: {}, u: { $set: { a: '$$x' } } }], let: { x: 1 } }],
    ['delete with let', { delete: 'c', deletes: [{ q: {}, limit: 0 }], let: { x: 1 } }],
    ['findAndModify with let', { findAndModify: 'c', query: {}, update: { $set: { a: 2 } }, let: { x: 1 } }],
    ['findAndModify with a pipeline', { findAndModify: 'c', query: {}, update: [{ $set: { a: 2 } }] }],
    ['findAndModify with arrayFilters', { findAndModify: 'c', update: { $set: { a: 2 } }, arrayFilters: [{ e: 1 }] }],
    ['findAndModify with a collation', { findAndModify: 'c', update: { $set: { a: 2 } }, collation: COLLATION }],
    ['findAndModify with computed fields', { findAndModify: 'c', update: { $set: { a: 2 } }, fields: { b: '$a' } }],
    [
      'the second of two updates',
      { update: 'c', updates: [{ $set: { a: 2 } }, { $mul: { a: 2 } }].map((u) => ({ q: {}, u })), ordered: false },
    ],
    ['count with a collation', { count: 'c', collation: COLLATION }],
    ['distinct with a collation', { distinct: 'c', key: 'a', collation: COLLATION }],
    index({ collation: COLLATION }),
    index({ weights: { b: 1 } }),
    index({ wildcardProjection: { b: 1 } }),
    index({ prepareUnique: true }),
    index({ key: { b: '2dsphere' } }),
    index({ key: { '$**': 1 } }),
    ['a collection with a collation', { create: 'd', collation: COLLATION }],
    ['a capped collection', { create: 'd', capped: true, size: 1000 }],
    ['a view', { create: 'd', viewOn: 'c', pipeline: [] }],
    ['a time series', { create: 'd', timeseries: { timeField: 't' } }],
    ['a validator', { create: 'd', validator: { a: 1 } }],
    ['collMod', { collMod: 'c', index: { name: 'a_1', unique: true } }],
    ['renameCollection', { renameCollection: 'store_refusals.c', to: 'store_refusals.d' }],
    ['bulkWrite', { bulkWrite: 1, ops: [{ delete: 0, filter: {} }], nsInfo: [{ ns: 'store_refusals.c' }] }],
    ['mapReduce', { mapReduce: 'c', map: 'x', reduce: 'x', out: 'd' }],
    ['explain of an update', { explain: { update: 'c', updates: [] }, verbosity: 'queryPlanner' }],
    ['explain of all plans', { explain: { find: 'c' }, verbosity: 'allPlansExecution' }],
    ...['find', 'insert', 'ping', 'hello'].map((name): [string, Document] => [
      `${name} with an API version`,
      { [name]: 'c', ...(name === 'insert' && { documents: [{ _id: 2 }] }), apiVersion: '1', apiStrict: true },
    ]),
  ])('%s', async (_name, command) => {
    const collection = bench.db.collection('c');
    await collection.deleteMany({});
    await collection.insertOne({ _id: 1 as never, a: 1, l: [1] });
    const reply: Document = await bench.db.command(command).catch((error) => error);
    const failure = reply.writeErrors?.[0] ?? reply;
    expect({ code: failure.code, message: failure.errmsg ?? failure.message }).toEqual({
      code: 115,
      message: expect.stringContaining('use MONGODB_URI'),
    });
    expectSame(await collection.find({}).toArray(), [{ _id: 1, a: 1, l: [1] }]);
    expect((await bench.db.listCollections().toArray()).map(({ name }) => name)).toEqual(['c']);
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  test('an unknown verbosity of explain', async () => {
    const command = { explain: { find: 'c' }, verbosity: 'loud' };
    await expect(bench.db.command(command)).rejects.toMatchObject({ code: 9 });
  });
});

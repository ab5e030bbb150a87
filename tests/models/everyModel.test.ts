/** @environment store */
import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import mongoose, { type Model, Types } from 'mongoose';
import { runInAccount } from '../../models/store/context.ts';
import { connectTestStore } from '../factories/account.ts';

const namesIn = (folder: string) => readdirSync(folder).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.[1] ?? []);
// As specific as possible, because everything that the name could mean is built with the test.
for (const name of namesIn('models')) await import(`../../models/${name}.ts`);
for (const name of namesIn('models/clinical_safety')) await import(`../../models/clinical_safety/${name}.ts`);
for (const name of namesIn('models/store')) await import(`../../models/store/${name}.ts`);

type AnyModel = Model<Record<string, unknown>>;
const models = Object.values(mongoose.models) as unknown as AnyModel[];
const isCustomers = ({ schema }: AnyModel) => schema.path('accountId')?.options.immutable === true;
const customers = models.filter(isCustomers).map((model) => [model.modelName, model] as const);

const [MINE, THEIRS] = [1, 2];
connectTestStore();

test('only these models have no account, or are read before it is known', () => {
  const systems = models.filter((model) => !isCustomers(model)).map(({ modelName }) => modelName);
  expect(systems.sort()).toEqual([
    'AccessToken',
    'Account',
    'ChannelInstallation',
    'Counter',
    'Invitation',
    'Member',
    'OauthState',
    'PaymentEvent',
    'RateCount',
    'SharedLink',
    'Signal',
    'TenantClaim',
    'UnconnectedCall',
    'User',
    'Verification',
  ]);
});

type Row = { _id: never; accountId: number; schemaVersion: number };
type Ask = (model: AnyModel, filter: object, row: Row) => PromiseLike<unknown>;

/** Every way to read; without a match they return null, nothing or 0. */
const READS: [name: string, Ask][] = [
  ['find', (model, filter) => model.find(filter).lean()],
  ['find, one by one', (model, filter) => model.find(filter).lean().cursor().next()],
  ['findOne', (model, filter) => model.findOne(filter).lean()],
  ['findById', (model, _filter, { _id }) => model.findById(_id).lean()],
  ['exists', (model, filter) => model.exists(filter)],
  ['countDocuments', (model, filter) => model.countDocuments(filter)],
  ['distinct', (model, filter) => model.distinct('_id', filter)],
];
const CHANGE = { $set: { schemaVersion: 99 } };
/** Every way to change; a refusal changes nothing either. */
const WRITES: [name: string, Ask][] = [
  ['updateOne', (model, filter) => model.updateOne(filter, CHANGE)],
  ['updateMany', (model, filter) => model.updateMany(filter, CHANGE)],
  ['replaceOne', (model, filter, row) => model.replaceOne(filter, { ...row, schemaVersion: 99 })],
  ['findOneAndUpdate', (model, filter) => model.findOneAndUpdate(filter, CHANGE)],
  ['findOneAndReplace', (model, filter, row) => model.findOneAndReplace(filter, { ...row, schemaVersion: 99 })],
  ['findByIdAndUpdate', (model, _filter, { _id }) => model.findByIdAndUpdate(_id, CHANGE)],
  ['a document’s updateOne', (model, _filter, row) => model.hydrate({ ...row }).updateOne(CHANGE)],
  [
    'a document’s save',
    (model, _filter, row) =>
      model
        .hydrate({ ...row })
        .set('schemaVersion', 99)
        .save(),
  ],
  ['deleteOne', (model, filter) => model.deleteOne(filter)],
  ['deleteMany', (model, filter) => model.deleteMany(filter)],
  ['findOneAndDelete', (model, filter) => model.findOneAndDelete(filter)],
  ['findByIdAndDelete', (model, _filter, { _id }) => model.findByIdAndDelete(_id)],
  ['a document’s deleteOne', (model, _filter, row) => model.hydrate({ ...row }).deleteOne()],
];
/** Operations that can't be scoped, which are always refused. */
const REFUSED: [name: string, Ask][] = [
  ['aggregate', (model, filter) => model.aggregate([{ $match: filter }]).exec()],
  ['estimatedDocumentCount', (model) => model.estimatedDocumentCount()],
  ['bulkWrite', (model, filter) => model.bulkWrite([{ updateMany: { filter, update: CHANGE } }])],
];

describe.each(customers)('the rows of another account, in %s', (_name, model) => {
  const ids = { ObjectId: () => new Types.ObjectId(), Number: () => 7, String: () => 'seven' };
  let row: Row;
  /** All rows as stored, so that a moved or copied one is noticed too. */
  const standing = () => model.collection.find({}).toArray();
  const put = async () => {
    await model.collection.deleteMany({});
    await model.collection.insertOne(row as never);
  };
  const filters = () => [{}, { _id: row._id }, { schemaVersion: 1 }];

  beforeEach(async () => {
    const kind = model.schema.path('_id')?.instance as keyof typeof ids;
    row = { _id: ids[kind]() as never, accountId: THEIRS, schemaVersion: 1 };
    await put();
  });

  test('are found by no read, and by every one of their own account', async () => {
    const faults: string[] = [];
    for (const [name, read] of READS) {
      for (const filter of filters()) {
        const seenBy = async (accountId: number) => {
          const seen = await runInAccount(accountId, () => read(model, filter, row));
          return Array.isArray(seen) ? seen.length > 0 : Boolean(seen);
        };
        if (await seenBy(MINE)) faults.push(`${name} shows them`);
        if (!(await seenBy(THEIRS))) faults.push(`${name} shows nobody anything`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('are changed by no write, and by every one of their own account', async () => {
    const faults: string[] = [];
    for (const [name, write] of WRITES) {
      for (const filter of filters()) {
        const changedBy = async (accountId: number) => {
          await put();
          await runInAccount(accountId, () => write(model, filter, row)).catch(() => null);
          return JSON.stringify(await standing()) !== JSON.stringify([row]);
        };
        if (await changedBy(MINE)) faults.push(`${name} changes them`);
        if (!(await changedBy(THEIRS))) faults.push(`${name} changes nothing`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('are not reached by operations that can’t be scoped, which are refused', async () => {
    for (const [name, ask] of REFUSED) {
      for (const filter of filters()) {
        const refused = await runInAccount(MINE, () => ask(model, filter, row)).catch((error: Error) => error.message);
        expect({ name, refused }).toEqual({ name, refused: expect.stringContaining('not scoped') });
      }
    }
    expect(await standing()).toEqual([row]);
  });

  test('get none of ours: nothing is written or moved into their account', async () => {
    const own = { ...row, accountId: MINE };
    const other = { _id: ids[model.schema.path('_id')?.instance as keyof typeof ids]() as never, accountId: THEIRS };
    const MOVES: [name: string, () => PromiseLike<unknown>][] = [
      ['updateOne', () => model.updateOne({}, { $set: { accountId: THEIRS } })],
      ['updateMany', () => model.updateMany({}, { $set: { accountId: THEIRS } })],
      ['findOneAndUpdate', () => model.findOneAndUpdate({}, { $set: { accountId: THEIRS } })],
      ['replaceOne, naming none', () => model.replaceOne({}, { schemaVersion: 99 })],
      ['$rename', () => model.updateOne({}, { $rename: { accountId: 'was' } })],
      ['$unset', () => model.updateOne({}, { $unset: { accountId: '' } })],
      ['a pipeline', () => model.updateOne({}, [{ $set: { accountId: THEIRS } }], { updatePipeline: true })],
      ['an upsert', () => model.updateOne({ _id: other._id, accountId: THEIRS }, CHANGE, { upsert: true })],
      ['what an upsert inserts', () => model.updateOne({ _id: other._id }, { $setOnInsert: other }, { upsert: true })],
      [
        'what findOneAndUpdate inserts',
        () => model.findOneAndUpdate({ _id: other._id }, { $setOnInsert: other }, { upsert: true }),
      ],
      ['replaceOne', () => model.replaceOne({}, { ...own, accountId: THEIRS })],
      ['findOneAndReplace', () => model.findOneAndReplace({}, { ...own, accountId: THEIRS })],
      [
        'save',
        () =>
          model
            .hydrate({ ...own })
            .set('accountId', THEIRS)
            .save(),
      ],
      ['create', () => model.create(other)],
      ['insertMany', () => model.insertMany([other])],
    ];
    const moved: string[] = [];
    for (const [name, move] of MOVES) {
      await model.collection.deleteMany({});
      await model.collection.insertOne(own as never);
      await runInAccount(MINE, move).catch(() => null);
      const accounts = (await standing()).map(({ accountId }) => accountId);
      if (accounts.some((accountId) => accountId !== MINE)) moved.push(name);
    }
    expect(moved).toEqual([]);
  });

  test('are not available outside any account', async () => {
    for (const [name, ask] of [...READS, ...WRITES.filter(([it]) => !it.startsWith('a document'))]) {
      const refused = await Promise.resolve(ask(model, {}, row)).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      expect({ name, refused }).toEqual({ name, refused: expect.stringContaining('outside any account') });
    }
    expect(await standing()).toEqual([row]);
  });
});

/** @environment store */
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Document } from 'mongodb';
import mongoose from 'mongoose';
import { connectedDatabase } from '../../models/store/client.ts';
import { runInAccount } from '../../models/store/context.ts';
import { type Entity, entity } from '../../models/store/entity.ts';
import { insertRow } from '../../models/store/insert.ts';
import { isLineDue, migrate, requireCurrentSchema } from '../../models/store/migrate.ts';
import type { Migration } from '../../models/store/migration.ts';
import { connectTestStore, nextNumber } from '../factories/account.ts';

connectTestStore();

type Row = { _id: number; accountId: number; name: string };
let standing: string[] = [];
afterEach(() => {
  for (const name of standing) mongoose.deleteModel(name);
  standing = [];
});

/** An entity in a collection of its own, or in the given one at a later version of the product. */
function declare(migrations: Migration[], collection = `kept${nextNumber()}`) {
  const name = `Kept${nextNumber()}`;
  standing.push(name);
  const fields = { _id: Number, accountId: Number, name: String };
  const model: Entity<Row> = entity<Row>({ name, collection, scope: 'customer', fields, migrations });
  return { model, collection, rows: () => connectedDatabase().collection<Document>(collection) };
}
const write = (model: Entity<Row>, _id: number, name: string) =>
  runInAccount(1, () => insertRow(model, { _id, accountId: 1, name }));
const readAll = (of: ReturnType<typeof declare>) => of.rows().find({}).sort({ _id: 1 }).toArray();
const noted = (collection: string) =>
  connectedDatabase()
    .collection('schemaVersions')
    .findOne({ _id: collection as never });

/** A migration that records the rows it was called for. */
function telling(change: (row: Document) => Document) {
  const asked: unknown[] = [];
  const migration: Migration = {
    title: 'told',
    change(row) {
      asked.push(row._id);
      return change(row);
    },
  };
  return { asked, migration };
}
const split: Migration = {
  title: 'the name is two',
  change({ name, ...row }) {
    const [first, last] = String(name).split(' ');
    return { ...row, first, last };
  },
};
const greet: Migration = {
  title: 'how they are greeted',
  change: (row) => ({ ...row, greeting: `Dear ${row.first}` }),
};

test('rows of any earlier version go through all later changes, in order', async () => {
  const old = declare([]);
  await write(old.model, 1, 'Ada Okafor');
  const later = declare([split, greet], old.collection);
  await later.rows().insertMany([
    { _id: 2 as never, accountId: 1, name: 'Ben Hughes' },
    { _id: 3 as never, accountId: 1, first: 'Cara', last: 'Lowe', schemaVersion: 2 },
    { _id: 4 as never, accountId: 1, first: 'Dora', last: 'May', greeting: 'Hello', schemaVersion: 3 },
  ]);
  await migrate([old.collection]);
  expect(await readAll(later)).toEqual([
    { _id: 1, accountId: 1, first: 'Ada', last: 'Okafor', greeting: 'Dear Ada', schemaVersion: 3 },
    { _id: 2, accountId: 1, first: 'Ben', last: 'Hughes', greeting: 'Dear Ben', schemaVersion: 3 },
    { _id: 3, accountId: 1, first: 'Cara', last: 'Lowe', greeting: 'Dear Cara', schemaVersion: 3 },
    { _id: 4, accountId: 1, first: 'Dora', last: 'May', greeting: 'Hello', schemaVersion: 3 },
  ]);
});

test('new rows have the version of their entity, and are not changed again', async () => {
  const { asked, migration } = telling((row) => ({ ...row, name: 'changed' }));
  const one = declare([migration]);
  await write(one.model, 1, 'by insertRow');
  await runInAccount(1, () => one.model.create({ _id: 2, accountId: 1, name: 'by mongoose' }));
  await runInAccount(1, () => one.model.updateOne({ _id: 3 }, { $set: { name: 'by upsert' } }, { upsert: true }));
  await migrate([one.collection]);
  expect(asked).toEqual([]);
  expect((await readAll(one)).map(({ name, schemaVersion }) => [name, schemaVersion])).toEqual([
    ['by insertRow', 2],
    ['by mongoose', 2],
    ['by upsert', 2],
  ]);
});

test('it runs once, in one process while the others wait', async () => {
  const { asked, migration } = telling((row) => ({ ...row, name: 'changed' }));
  const old = declare([]);
  for (let id = 1; id <= 3; id += 1) await write(old.model, id, 'old');
  declare([migration], old.collection);
  await Promise.all([migrate([old.collection]), migrate([old.collection]), migrate([old.collection])]);
  await migrate([old.collection]);
  expect(asked).toEqual([1, 2, 3]);
  expect(await noted(old.collection)).toEqual({ _id: old.collection, version: 2, at: expect.any(Date) });
  expect(await noted('lock')).toBeNull();
});

test('while another process holds the lock nothing is changed here, and a dead one’s lock is not waited for', async () => {
  const { asked, migration } = telling((row) => ({ ...row, name: 'changed here' }));
  const old = declare([]);
  await write(old.model, 1, 'old');
  declare([migration], old.collection);
  const locks = connectedDatabase().collection<Document>('schemaVersions');
  const until = (seconds: number) => new Date(Date.now() + seconds * 1000);
  await locks.insertOne({ _id: 'lock' as never, owner: 'another', until: until(60) });
  const waiting = migrate([old.collection]);
  await old.rows().updateOne({ _id: 1 as never }, { $set: { name: 'changed there', schemaVersion: 2 } });
  await locks.updateOne({ _id: old.collection as never }, { $set: { version: 2 } }, { upsert: true });
  await waiting;
  expect(asked).toEqual([]);
  // The other process's lock stays, because it is not ours to remove.
  expect(await noted('lock')).toMatchObject({ owner: 'another' });

  const next = telling((row) => ({ ...row, name: 'changed twice' }));
  declare([migration, next.migration], old.collection);
  await locks.updateOne({ _id: 'lock' as never }, { $set: { until: until(-1) } });
  await migrate([old.collection]);
  expect(next.asked).toEqual([1]);
  expect(await noted('lock')).toBeNull();
});

test('after a crash it continues with the rows that were not written', async () => {
  const old = declare([]);
  const rows = Array.from({ length: 1201 }, (_, index) => ({ _id: index + 1, accountId: 1, schemaVersion: 1 }));
  // They may have been written in any order.
  await old.rows().insertMany(rows.toReversed() as never[]);
  const { asked, migration } = telling((row) => {
    if (row._id === 700 && asked.length <= 700) throw new Error('the process ends here');
    return { ...row, name: 'changed' };
  });
  const later = declare([migration], old.collection);
  await expect(migrate([old.collection])).rejects.toThrow('the process ends here');
  expect(await noted(old.collection)).toBeNull();
  expect(await later.rows().countDocuments({ schemaVersion: 2 })).toBe(500);
  asked.splice(0, 700);
  asked.push(...Array.from({ length: 701 }, () => 0));
  await migrate([old.collection]);
  expect(asked.slice(701)).toEqual(rows.slice(500).map(({ _id }) => _id));
  expect(await later.rows().countDocuments({ schemaVersion: 2, name: 'changed' })).toBe(1201);
});

test('the lock is held for thirty seconds, and again after each batch', async () => {
  const old = declare([]);
  const rows = Array.from({ length: 501 }, (_, index) => ({ _id: index + 1, accountId: 1, schemaVersion: 1 }));
  await old.rows().insertMany(rows as never[]);
  const locks: Promise<Document | null>[] = [];
  const change = (row: Document) => {
    if (row._id === 1 || row._id === 501) locks.push(noted('lock'));
    return { ...row, name: 'changed' };
  };
  declare([{ title: 'a name', change }], old.collection);
  const begun = Date.now();
  await migrate([old.collection]);
  const [first, second] = (await Promise.all(locks)).map((lock) => Number(lock?.until));
  expect(first).toBeGreaterThanOrEqual(begun + 30_000);
  expect(second).toBeLessThanOrEqual(Date.now() + 30_000);
  expect(second).toBeGreaterThan(Number(first));
});

test('a lock that another process took meanwhile is left alone', async () => {
  const old = declare([]);
  await write(old.model, 1, 'old');
  const locks = connectedDatabase().collection<Document>('schemaVersions');
  const writes: Promise<unknown>[] = [];
  const change = (row: Document) => {
    writes.push(locks.updateOne({ _id: 'lock' as never }, { $set: { owner: 'another' } }));
    return { ...row, name: 'changed' };
  };
  declare([{ title: 'a name', change }], old.collection);
  await migrate([old.collection]);
  await Promise.all(writes);
  expect(await noted('lock')).toMatchObject({ owner: 'another' });
  await locks.deleteOne({ _id: 'lock' as never });
});

test('a lock that can’t be written ends the migration', async () => {
  const old = declare([]);
  await write(old.model, 1, 'old');
  declare([split], old.collection);
  const failure = new Error('gone');
  const updateOne = jest.spyOn(mongoose.mongo.Collection.prototype, 'updateOne').mockRejectedValueOnce(failure);
  await expect(migrate([old.collection])).rejects.toBe(failure);
  updateOne.mockRestore();
});

test('an empty collection gets the later version, and one that never changed is left alone', async () => {
  const old = declare([]);
  // Rows of the first releases may have no version.
  await old.rows().insertOne({ _id: 1 as never, accountId: 1 });
  await migrate([old.collection]);
  expect(await readAll(old)).toEqual([{ _id: 1, accountId: 1 }]);
  expect(await noted(old.collection)).toMatchObject({ version: 1 });
  await old.rows().deleteOne({ _id: 1 as never });
  declare([split], old.collection);
  await migrate([old.collection]);
  expect(await noted(old.collection)).toMatchObject({ version: 2 });
});

test('only fields that a change affects are written, so another process’s write stays', async () => {
  const old = declare([]);
  await write(old.model, 1, 'Ada Okafor');
  await old.rows().updateOne({ _id: 1 as never }, { $set: { seen: 'before' } });
  const writes: Promise<unknown>[] = [];
  const later = declare(
    [
      {
        title: 'a word beside it',
        change(row) {
          writes.push(old.rows().updateOne({ _id: 1 as never }, { $set: { seen: 'meanwhile' } }));
          return { ...row, word: 'new' };
        },
      },
    ],
    old.collection,
  );
  await migrate([old.collection]);
  await Promise.all(writes);
  expect(await readAll(later)).toEqual([
    { _id: 1, accountId: 1, name: 'Ada Okafor', seen: 'meanwhile', word: 'new', schemaVersion: 2 },
  ]);
});

test('a row that another process migrated meanwhile is left alone', async () => {
  const old = declare([]);
  await write(old.model, 1, 'old');
  const writes: Promise<unknown>[] = [];
  const changed = { $set: { name: 'changed there', schemaVersion: 2 } };
  const later = declare(
    [
      {
        title: 'a name',
        change(row) {
          writes.push(old.rows().updateOne({ _id: 1 as never }, changed));
          return { ...row, name: 'changed here' };
        },
      },
    ],
    old.collection,
  );
  const bulkWrite = jest.spyOn(mongoose.mongo.Collection.prototype, 'bulkWrite').mockImplementation(async function (
    this: mongoose.mongo.Collection,
    ...given
  ) {
    bulkWrite.mockRestore();
    await Promise.all(writes);
    return this.bulkWrite(...given);
  });
  await migrate([old.collection]);
  expect((await readAll(later))[0]).toMatchObject({ name: 'changed there', schemaVersion: 2 });
});

test.each([0, -1, null, 'two', 1.5])('a row whose version is %j goes through all changes', async (schemaVersion) => {
  const later = declare([split, greet]);
  await later.rows().insertOne({ _id: 1 as never, accountId: 1, name: 'Ada Okafor', schemaVersion });
  await expect(requireCurrentSchema([later.collection])).rejects.toThrow('Start the server once');
  await migrate([later.collection]);
  expect(await readAll(later)).toEqual([
    { _id: 1, accountId: 1, first: 'Ada', last: 'Okafor', greeting: 'Dear Ada', schemaVersion: 3 },
  ]);
});

test('a row that a change can’t read is named and left as it was, and the lock is given back', async () => {
  const asList: Migration = {
    title: 'the roles are sorted',
    change: ({ roles, ...row }) => ({ ...row, roles: roles.toSorted() }),
  };
  const later = declare([asList]);
  await later.rows().insertOne({ _id: 7 as never, accountId: 1, roles: null, schemaVersion: 1 });
  await expect(migrate([later.collection])).rejects.toMatchObject({
    name: 'StoreError',
    message: expect.stringMatching(
      `^The row 7 of ${later.collection} could not be migrated \\(the roles are sorted\\): .*It is as it was\\.`,
    ),
    cause: expect.any(TypeError),
  });
  expect(await readAll(later)).toEqual([{ _id: 7, accountId: 1, roles: null, schemaVersion: 1 }]);
  expect([await noted(later.collection), await noted('lock')]).toEqual([null, null]);
  await later.rows().updateOne({ _id: 7 as never }, { $set: { roles: ['owner', 'member'] } });
  await migrate([later.collection]);
  expect(await readAll(later)).toMatchObject([{ roles: ['member', 'owner'], schemaVersion: 2 }]);
});

test('a change that writes into the row’s own lists fails, as nothing of it would be stored', async () => {
  const inPlace: Migration = {
    title: 'in place',
    change({ of, ...row }) {
      of.list.push('c');
      return { ...row, of };
    },
  };
  const later = declare([inPlace]);
  const row = { _id: 1, accountId: 1, of: { list: ['a', 'b'] }, bytes: Buffer.from('x'), at: new Date(0) };
  await later.rows().insertOne({ ...row, schemaVersion: 1 } as never);
  await expect(migrate([later.collection])).rejects.toThrow('could not be migrated (in place)');
  expect(await readAll(later)).toMatchObject([{ of: { list: ['a', 'b'] }, schemaVersion: 1 }]);
});

test('data of a later version is refused, with the next step', async () => {
  const later = declare([split, greet]);
  await write(later.model, 1, 'Ada Okafor');
  await migrate([later.collection]);
  declare([split], later.collection);
  for (const refuses of [migrate, requireCurrentSchema]) {
    await expect(refuses([later.collection])).rejects.toMatchObject({
      name: 'StoreError',
      message: `The data was written by a newer version of Arc (${later.collection}). Start that version, or restore a copy that was made before it.`,
    });
  }
});

test('a command refuses data of an earlier version, and accepts a new or current store', async () => {
  const old = declare([]);
  await expect(requireCurrentSchema([old.collection])).resolves.toBeUndefined();
  declare([split], old.collection);
  await expect(requireCurrentSchema([old.collection])).resolves.toBeUndefined();
  await old.rows().insertOne({ _id: 1 as never, accountId: 1, name: 'Ada Okafor', schemaVersion: 1 });
  await expect(requireCurrentSchema([old.collection])).rejects.toThrow('Start the server once');
  await migrate([old.collection]);
  await expect(requireCurrentSchema([old.collection])).resolves.toBeUndefined();
});

test.each([
  [0, 99_999, false],
  [0, 100_000, true],
  [99_500, 500, true],
  [100_000, 500, false],
  [199_999, 1, true],
])('the log reports progress every hundred thousand rows: %i rows and %i more', (rows, more, due) =>
  expect(isLineDue(rows, more)).toBe(due),
);

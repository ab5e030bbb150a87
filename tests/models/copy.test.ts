/** @environment store */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Decimal128, Double, Int32, Long } from 'bson';
import mongoose from 'mongoose';
import { connectStore } from '../../models/store/connect.ts';
import { readCopy, writeCopy } from '../../models/store/copy.ts';
import { eventually } from '../factories/person.ts';
import { embedded } from '../store/harness.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-copy-'));
let store: Awaited<ReturnType<typeof connectStore>>;
const connect = async () => {
  store = await connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
};
const database = () => mongoose.connection.db as NonNullable<typeof mongoose.connection.db>;
const leave = async () => {
  await database().dropDatabase();
  await store.close();
};
beforeAll(connect);
afterAll(async () => {
  await leave();
  rmSync(directory, { recursive: true, force: true });
});

test('a copy holds every document with its types, and the indexes; it is the owner’s alone to read', async () => {
  const file = join(directory, 'copy.gz');
  const at = new Date();
  const things = Array.from({ length: 1200 }, (_, index) => ({
    _id: index as never,
    whole: new Int32(index),
    long: Long.fromString('9007199254740993'),
    real: new Double(5),
    exact: Decimal128.fromString('1.10'),
    at,
    bytes: Buffer.from([index % 256]),
  }));
  await database().collection('things').insertMany(things);
  await database().collection('things').createIndex({ whole: 1 }, { unique: true, name: 'by_whole' });
  await database().collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  const partialFilterExpression = { whole: { $gt: 1100 } };
  await database()
    .collection('things')
    .createIndex({ at: 1 }, { name: 'late', sparse: false, partialFilterExpression });
  await database().collection('single').insertOne({ text: 'one' });
  await writeCopy(file, { encryptionKey: 'k' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [header, keys] = gunzipSync(readFileSync(file)).toString().split('\n');
  expect([header, keys].map((line) => JSON.parse(String(line)))).toEqual([
    { format: 'arc-copy', version: { $numberInt: '1' } },
    { keys: { encryptionKey: 'k' } },
  ]);
  await leave();

  await connect();
  expect(await readCopy(file)).toEqual({ documents: 1201, keys: { encryptionKey: 'k' } });
  const read = await database()
    .collection('things')
    .findOne({ _id: 7 as never }, { promoteValues: false });
  expect(read).toMatchObject({
    whole: new Int32(7),
    long: Long.fromString('9007199254740993'),
    exact: Decimal128.fromString('1.10'),
  });
  const late = (await database().collection('things').indexes()).find(({ name }) => name === 'late');
  expect(late).toMatchObject({ key: { at: 1 }, partialFilterExpression });
  expect(await database().collection('things').countDocuments()).toBe(1200);
  expect(await database().collection('single').countDocuments()).toBe(1);
  expect((read?.real as Double | undefined)?._bsontype).toBe('Double');
  await expect(database().collection('things').insertOne({ whole: 7 })).rejects.toMatchObject({ code: 11_000 });
  expect(
    (await database().collection('sessions').indexes()).find(({ name }) => name === 'at_1')?.expireAfterSeconds,
  ).toBe(60);
  await expect(readCopy(file)).rejects.toThrow('not empty');
});

test('a copy is made while writing goes on: all that was there before is in it, once', async () => {
  const file = join(directory, 'busy.gz');
  await leave();
  await connect();
  const docs = database().collection('docs');
  await docs.createIndex({ a: 1 }, { unique: true });
  await docs.insertMany(Array.from({ length: 2000 }, (_, a) => ({ a })));
  let going = true;
  const writing = (async () => {
    for (let a = 10_000; going; a++) await docs.insertOne({ a });
  })();
  await writeCopy(file, null);
  going = false;
  await writing;
  await leave();

  await connect();
  const { documents } = await readCopy(file);
  expect(documents).toBe(await database().collection('docs').countDocuments({}));
  expect(
    await database()
      .collection('docs')
      .countDocuments({ a: { $lt: 2000 } }),
  ).toBe(2000);
  await expect(database().collection('docs').insertOne({ a: 5 })).rejects.toMatchObject({ code: 11_000 });
});

test('a copy is of one moment: what belongs together across collections is in it together, or not at all', async () => {
  const file = join(directory, 'moment.gz');
  await leave();
  await connect();
  // Read in the order of their names: the pages long after the books, and the shelf between them.
  const [books, pages] = ['a-books', 'z-pages'].map((name) =>
    database().collection<{ _id: number; of?: number }>(name),
  );
  await database()
    .collection('m-shelf')
    .insertMany(Array.from({ length: 3000 }, () => ({ text: 'x'.repeat(200) })));
  let going = true;
  let written = 0;
  const writing = (async () => {
    for (let _id = 1; going; _id += 1) {
      await pages?.insertOne({ _id, of: _id });
      await books?.insertOne({ _id });
      if (_id > 20) {
        await books?.deleteOne({ _id: _id - 20 });
        await pages?.deleteOne({ _id: _id - 20 });
      }
      written = _id;
    }
  })();
  await eventually(async () => written > 50, 'the first books');
  expect(await writeCopy(file, null)).toBe(embedded);
  const after = written;
  going = false;
  await writing;
  await leave();

  await connect();
  await readCopy(file);
  const numbersIn = async (name: string) =>
    (await database().collection(name).find({}).sort({ _id: 1 }).toArray()).map(({ _id }) => Number(_id));
  const [had, of] = await Promise.all([numbersIn('a-books'), numbersIn('z-pages')]);
  expect(of.length).toBeGreaterThanOrEqual(20);
  expect(of.at(-1)).toBeLessThan(after);
  // A page is there before its book and goes after it: of one moment, no book is without its page.
  expect(had.filter((book) => !of.includes(book))).toEqual([]);
  expect(of.length - had.length).toBeLessThanOrEqual(1);
  expect(of).toEqual(Array.from({ length: of.length }, (_, index) => (of[0] ?? 0) + index));
}, 120_000);

test('another file is refused', async () => {
  const file = join(directory, 'other.gz');
  writeFileSync(file, gzipSync('{"hello":1}\n'));
  await leave();
  await connect();
  await expect(readCopy(file)).rejects.toThrow('no copy');
});

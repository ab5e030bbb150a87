/** @environment store */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Decimal128, Double, Int32, Long } from 'bson';
import type { ClientSession, CreateIndexesOptions, IndexSpecification } from 'mongodb';
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

test('a backup has every document with its types, and the indexes, and only its owner can read it', async () => {
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

test('a backup made during writes has everything from before, once', async () => {
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

test('a backup is of one moment: related rows across collections are in it together, or not at all', async () => {
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
  // A page is written before its book and deleted after it, so at any moment each book has its page.
  expect(had.filter((book) => !of.includes(book))).toEqual([]);
  expect(of.length - had.length).toBeLessThanOrEqual(1);
  expect(of).toEqual(Array.from({ length: of.length }, (_, index) => (of[0] ?? 0) + index));
}, 120_000);

test('a backup names every collection with its indexes, followed by its documents', async () => {
  const file = join(directory, 'lines.gz');
  await leave();
  await connect();
  await database()
    .collection('books')
    .insertOne({ _id: 1 as never });
  await database().collection('books').createIndex({ title: -1 }, { name: 'by_title', sparse: true });
  await database().createCollection('empty');
  await writeCopy(file, null);
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  const read = lines.map((line) => JSON.parse(line));
  const index = { v: { $numberInt: '2' }, key: { title: { $numberInt: '-1' } }, name: 'by_title', sparse: true };
  expect(read[0]).toEqual({ format: 'arc-copy', version: { $numberInt: '1' } });
  const byName = (one: { collection?: string; in?: string }) => one.collection ?? one.in;
  expect(read.slice(1).filter((one) => byName(one) === 'books')).toEqual([
    { collection: 'books', indexes: [index] },
    { in: 'books', document: { _id: { $numberInt: '1' } } },
  ]);
  expect(read.slice(1).filter((one) => byName(one) === 'empty')).toEqual([{ collection: 'empty', indexes: [] }]);
  // Without keys there is no line for them.
  expect(read.slice(1).map(byName)).not.toContain(undefined);
});

test('indexes are restored unchanged', async () => {
  const file = join(directory, 'indexes.gz');
  await leave();
  await connect();
  const KINDS: [string, IndexSpecification, CreateIndexesOptions][] = [
    ['plain', { a: 1 }, {}],
    ['twofold', { a: 1, b: -1 }, {}],
    ['once', { c: 1 }, { unique: true }],
    ['thin', { d: 1 }, { sparse: true }],
    ['partial', { e: 1 }, { unique: true, partialFilterExpression: { e: { $gt: 5 } } }],
    ['late', { f: 1 }, { expireAfterSeconds: 60 }],
    ['at once', { g: 1 }, { expireAfterSeconds: 0 }],
  ];
  for (const [name, key, options] of KINDS)
    await database()
      .collection(name)
      .createIndex(key, { ...options, name });
  const read = () => Promise.all(KINDS.map(([name]) => database().collection(name).indexes()));
  const standing = await read();
  await writeCopy(file, null);
  await leave();
  await connect();
  expect(await readCopy(file)).toEqual({ documents: 0, keys: null });
  expect(await read()).toEqual(standing);
});

describe('a backup’s snapshot', () => {
  /** Records the snapshot sessions that are started. @returns whether each has ended */
  function watchSessions() {
    const begin = jest.spyOn(mongoose.connection.getClient(), 'startSession');
    return () =>
      begin.mock.results
        .filter((_, index) => begin.mock.calls[index]?.[0]?.snapshot)
        .map(({ value }) => (value as ClientSession).hasEnded);
  }
  const failFirstRead = (error: Error) =>
    jest.spyOn(mongoose.mongo.Collection.prototype, 'findOne').mockRejectedValueOnce(error);
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([72, 123])('is not used if a MongoDB answers %i, because it is no replica set', async (code) => {
    const haveEnded = watchSessions();
    failFirstRead(Object.assign(new Error('no snapshot'), { code }));
    expect(await writeCopy(join(directory, `no-moment-${code}.gz`), null)).toBe(false);
    expect(haveEnded()).toEqual([true]);
  });

  test('is not tried again if the store can’t be read', async () => {
    const haveEnded = watchSessions();
    const error = Object.assign(new Error('gone'), { code: 91 });
    failFirstRead(error);
    await expect(writeCopy(join(directory, 'gone.gz'), null)).rejects.toBe(error);
    expect(haveEnded()).toEqual([true]);
  });

  test('is released when the backup is written', async () => {
    const haveEnded = watchSessions();
    await writeCopy(join(directory, 'left.gz'), null);
    expect(haveEnded()).toEqual([true]);
  });
});

test('a file of another kind is refused', async () => {
  const file = join(directory, 'other.gz');
  writeFileSync(file, gzipSync('{"hello":1}\n'));
  await leave();
  await connect();
  await expect(readCopy(file)).rejects.toThrow('not a copy');
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Decimal128, Double, Int32, Long } from 'bson';
import mongoose from 'mongoose';
import { connectStore } from '../../models/store/connect.ts';
import { readCopy, writeCopy } from '../../models/store/copy.ts';

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
  await writeCopy(file, { encryptionKey: 'k' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await leave();

  await connect();
  expect(await readCopy(file)).toEqual({ documents: 1200, keys: { encryptionKey: 'k' } });
  const read = await database()
    .collection('things')
    .findOne({ _id: 7 as never }, { promoteValues: false });
  expect(read).toMatchObject({
    whole: new Int32(7),
    long: Long.fromString('9007199254740993'),
    exact: Decimal128.fromString('1.10'),
  });
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

test('another file is refused', async () => {
  const file = join(directory, 'other.gz');
  writeFileSync(file, gzipSync('{"hello":1}\n'));
  await leave();
  await connect();
  await expect(readCopy(file)).rejects.toThrow('no copy');
});

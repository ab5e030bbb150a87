import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { StoredFile } from '../../models/file.ts';
import { keepFile, readFileBytes, sweepBytesWithoutRow } from '../../models/files.ts';
import { dangerouslyEraseAccount } from '../../models/store/accountRows.ts';
import { connectStore, ensureIndexes } from '../../models/store/connect.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';

const HOUR = 60 * 60_000;
let store: Awaited<ReturnType<typeof connectStore>>;
beforeAll(async () => {
  store = await connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
  await ensureIndexes();
});
afterAll(async () => {
  await mongoose.connection.db?.dropDatabase();
  await store.close();
});
beforeEach(async () => {
  for (const name of ['storedFiles', 'files.files', 'files.chunks']) await collection(name).deleteMany({});
});

const collection = (name: string) => {
  const { db } = mongoose.connection;
  if (!db) throw new Error('no store');
  return db.collection(name);
};
const keep = (name: string, accountId = 1) =>
  runInAccount(accountId, () =>
    keepFile({ accountId, name, kind: 'document', type: 'text/plain', key: name, bytes: randomBytes(600_000) }),
  );
const counts = async () => ({
  files: await collection('files.files').countDocuments(),
  chunks: await collection('files.chunks').countDocuments(),
});
const sweep = (now: Date) => dangerouslyRunInEveryAccount(() => sweepBytesWithoutRow(now));
const later = () => new Date(Date.now() + HOUR + 5000);

test('bytes whose row was never written, or that never got whole, are deleted after an hour; all others stay', async () => {
  const kept = await keep('kept.txt');
  const lost = await keep('lost.txt');
  const broken = await keep('broken.txt');
  await runInAccount(1, () => StoredFile.deleteMany({ _id: { $in: [lost._id, broken._id] } }));
  await collection('files.files').deleteOne({ _id: broken._id });
  expect(await counts()).toEqual({ files: 2, chunks: 9 });

  expect(await sweep(new Date())).toBe(0);
  expect(await counts()).toEqual({ files: 2, chunks: 9 });
  expect(await sweep(later())).toBe(2);
  expect(await counts()).toEqual({ files: 1, chunks: 3 });
  expect((await runInAccount(1, () => readFileBytes(kept))).byteLength).toBe(600_000);
});

test('many are gone through in batches, and none is skipped', async () => {
  const entry = (_id: Types.ObjectId) => ({ _id, length: 0, chunkSize: 1, uploadDate: new Date(), filename: 'x' });
  const ids = Array.from({ length: 1203 }, () => new Types.ObjectId());
  await collection('files.files').insertMany(ids.filter((_, index) => index % 2 === 0).map(entry));
  await collection('files.chunks').insertMany(
    ids
      .filter((_, index) => index % 3 === 0)
      .map((files_id) => ({ files_id, n: 0, data: Buffer.from('x') })) as never[],
  );
  const there = ids.filter((_, index) => index % 2 === 0 || index % 3 === 0).length;
  expect(await sweep(later())).toBe(there);
  expect(await counts()).toEqual({ files: 0, chunks: 0 });
});

test('an account is erased with the bytes that have no row', async () => {
  await keep('other.txt', 2);
  const lost = await keep('mine.txt', 1);
  await runInAccount(1, () => StoredFile.deleteOne({ _id: lost._id }));
  await dangerouslyEraseAccount(1, []);
  expect(await counts()).toEqual({ files: 1, chunks: 3 });
});

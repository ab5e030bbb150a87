/** @environment store */
import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { currentFiles } from '../../bot/agents/clinical_safety/files/currentFiles.ts';
import { expireFiles } from '../../jobs/expireFiles.ts';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import { type FileRow, StoredFile } from '../../models/file.ts';
import { keepFile, readFileBytes, removeExpiredFiles, sweepBytesWithoutRow } from '../../models/files.ts';
import { dangerouslyEraseAccount } from '../../models/store/accountRows.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
import { connectTestStore } from '../factories/account.ts';

const HOUR = 60 * 60_000;
connectTestStore();
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

test('bytes without a row, or incomplete after an hour, are deleted, and all others stay', async () => {
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

test('many are processed in batches, and none is skipped', async () => {
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

test('expired files are removed after ninety days, their rows say so, and documents stay', async () => {
  const DAYS = 90 * 24 * HOUR;
  const kinds = ['hazard-log', 'tickets', 'result', 'export', 'document'] as const;
  const begun = Date.now();
  const kept = await runInAccount(1, () =>
    Promise.all(
      kinds.map((kind) =>
        keepFile({ accountId: 1, name: kind, kind, type: 'text/plain', key: kind, bytes: Buffer.from(kind) }),
      ),
    ),
  );
  const expire = (now: number) => dangerouslyRunInEveryAccount(() => removeExpiredFiles(new Date(now)));
  expect(await expire(begun + DAYS - 1)).toBe(0);
  expect(await counts()).toEqual({ files: 5, chunks: 5 });
  expect(await expire(Date.now() + DAYS)).toBe(4);
  expect(await counts()).toEqual({ files: 1, chunks: 1 });
  const rows = await runInAccount(1, () => StoredFile.find({}).lean());
  expect(rows.filter(({ removed }) => !removed).map(({ kind }) => kind)).toEqual(['document']);
  const read = (index: number) => readFileBytes(rows.find(({ kind }) => kind === kinds[index]) as FileRow);
  await expect(read(3)).rejects.toMatchObject({ code: 'expired' });
  expect(String(await read(4))).toBe('document');
  // Nobody can read it after it expired, even before it is removed.
  const late = { ...(kept[0] as FileRow), expiresAt: new Date() };
  await expect((async () => readFileBytes(late))()).rejects.toMatchObject({ code: 'expired' });
  expect(await expire(Date.now() + DAYS)).toBe(0);
});

test('the job removes expired files in every account', async () => {
  const files = [await keep('one.txt', 1), await keep('two.txt', 2), await keep('three.txt', 2)];
  const due = files.slice(0, 2).map(({ _id }) => _id);
  await collection('storedFiles').updateMany({ _id: { $in: due } }, { $set: { expiresAt: new Date() } });
  await expireFiles.run();
  expect(await counts()).toEqual({ files: 1, chunks: 3 });
});

test('an account is erased with the bytes of its files, even if their entries name no account', async () => {
  const other = await keep('other.txt', 2);
  await keep('mine.txt', 1);
  // As bytes were stored before their entries named an account.
  await collection('files.files').updateMany({}, { $unset: { metadata: '' } });
  await dangerouslyEraseAccount(1, []);
  expect(await counts()).toEqual({ files: 1, chunks: 3 });
  expect((await runInAccount(2, () => readFileBytes(other))).byteLength).toBe(600_000);
  expect(await collection('storedFiles').countDocuments()).toBe(1);
});

test('an account is erased with the bytes that have no row', async () => {
  await keep('other.txt', 2);
  const lost = await keep('mine.txt', 1);
  await runInAccount(1, () => StoredFile.deleteOne({ _id: lost._id }));
  await dangerouslyEraseAccount(1, []);
  expect(await counts()).toEqual({ files: 1, chunks: 3 });
});

test('an expired log is no longer used, even as the last upload or the last analysed one', async () => {
  const uploaded = await runInAccount(1, () =>
    keepFile({
      accountId: 1,
      name: 'log.csv',
      kind: 'hazard-log',
      type: 'text/csv',
      key: 'upload:1',
      bytes: randomBytes(9),
    }),
  );
  const current = () =>
    runInAccount(1, () => currentFiles({ accountId: 1, files: {} })).then(({ companyLog }) => companyLog?.name ?? null);
  const expiresAt = (moment: Date) =>
    runInAccount(1, () => StoredFile.updateOne({ _id: uploaded._id }, { $set: { expiresAt: moment } }));
  expect(await current()).toBe('log.csv');
  await expiresAt(new Date(Date.now() - 1));
  expect(await current()).toBeNull();
  await runInAccount(1, () => HazardAnalysis.create({ _id: 1, accountId: 1, logFileId: uploaded._id } as never));
  expect(await current()).toBeNull();
  await expiresAt(new Date(Date.now() + HOUR));
  expect(await current()).toBe('log.csv');
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { withUploadRoom } from '../../../bot/engine/agents/clinical_safety/uploadRoom.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { type Server, startServer } from '../../factories/server.ts';

const MOST = LIMITS.uploads.bytes;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** A file as the store describes it; its bytes are of no matter here. */
const keepFile = (accountId: number, row: Partial<FileRow>) => {
  const id = new Types.ObjectId();
  const name = `${id}.csv`;
  return StoredFile.create({
    _id: id,
    accountId,
    name,
    originalName: name,
    kind: 'tickets',
    type: 'text/csv',
    digest: String(id),
    key: name,
    ...row,
  } as FileRow);
};
const send = (accountId: number, bytes: number, digest = 'new') =>
  withUploadRoom({ accountId, digest, bytes }, async () => 'kept');

test('the last byte of the room is taken, and one more is refused', () =>
  runInAccount(931, async () => {
    await keepFile(931, { size: MOST - 10 });
    await expect(send(931, 10)).resolves.toBe('kept');
    await expect(send(931, 11)).rejects.toMatchObject({ code: 'uploads_full' });
    // What was refused takes no room from the next.
    await expect(send(931, 10)).resolves.toBe('kept');
  }));

test('what is still being kept has its room already', () =>
  runInAccount(932, async () => {
    await keepFile(932, { size: MOST - 10 });
    await withUploadRoom({ accountId: 932, digest: 'first', bytes: 6 }, async () => {
      await expect(send(932, 5)).rejects.toMatchObject({ code: 'uploads_full' });
      await expect(send(932, 4)).resolves.toBe('kept');
    });
    await expect(send(932, 10)).resolves.toBe('kept');
  }));

test('a file that is here already needs none; results, documents and what is removed take none', () =>
  runInAccount(933, async () => {
    await keepFile(933, { size: MOST, digest: 'known', kind: 'hazard-log' });
    await expect(send(933, 100, 'known')).resolves.toBe('kept');
    await expect(send(933, 1)).rejects.toMatchObject({ code: 'uploads_full' });
    await StoredFile.updateOne({ accountId: 933, digest: 'known' }, { $set: { removed: true } });
    for (const kind of ['result', 'export', 'document'] as const) await keepFile(933, { size: MOST, kind });
    await expect(send(933, MOST)).resolves.toBe('kept');
  }));

test('the refusal names the day on which the oldest goes by itself', () =>
  runInAccount(934, async () => {
    await keepFile(934, { size: MOST, createdAt: new Date('2026-03-02'), expiresAt: new Date('2026-05-31T09:00:00Z') });
    await keepFile(934, { size: 1, createdAt: new Date('2026-03-01'), expiresAt: new Date('2026-05-30T09:00:00Z') });
    await expect(send(934, 1)).rejects.toMatchObject({ values: { day: '2026-05-30', megabytes: MOST / 2 ** 20 } });
  }));

test('one account’s files are no matter to another', () =>
  runInAccount(935, async () => {
    await runInAccount(936, () => keepFile(936, { size: MOST }));
    await expect(send(935, MOST)).resolves.toBe('kept');
  }));

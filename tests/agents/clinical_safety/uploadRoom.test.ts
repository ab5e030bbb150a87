import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { withUploadRoom } from '../../../bot/agents/clinical_safety/files/uploadRoom.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { type Server, startServer } from '../../factories/server.ts';

/** Accounts that nobody else has used in this process. */
const ACCOUNTS = Array.from({ length: 7 }, () => randomInt(1_000_000, 2 ** 40));
const [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH] = ACCOUNTS as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const MOST = LIMITS.uploads.bytes;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** A file as the store describes it; its bytes don't matter here. */
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

test('the last free byte is usable, and one more is refused', () =>
  runInAccount(FIRST, async () => {
    await keepFile(FIRST, { size: MOST - 10 });
    await expect(send(FIRST, 10)).resolves.toBe('kept');
    await expect(send(FIRST, 11)).rejects.toMatchObject({ code: 'uploads_full' });
    // A refused upload uses no room.
    await expect(send(FIRST, 10)).resolves.toBe('kept');
  }));

test('an empty file needs no room, but is refused if the room is exceeded already', () =>
  runInAccount(SEVENTH, async () => {
    await keepFile(SEVENTH, { size: MOST });
    await expect(send(SEVENTH, 0)).resolves.toBe('kept');
    await keepFile(SEVENTH, { size: 1 });
    await expect(send(SEVENTH, 0)).rejects.toMatchObject({ code: 'uploads_full' });
  }));

test('an upload that is still being stored counts already', () =>
  runInAccount(SECOND, async () => {
    await keepFile(SECOND, { size: MOST - 10 });
    await withUploadRoom({ accountId: SECOND, digest: 'first', bytes: 6 }, async () => {
      await expect(send(SECOND, 5)).rejects.toMatchObject({ code: 'uploads_full' });
      await expect(send(SECOND, 4)).resolves.toBe('kept');
    });
    await expect(send(SECOND, 10)).resolves.toBe('kept');
  }));

test('an existing file needs no room; results, documents and removed files use none', () =>
  runInAccount(THIRD, async () => {
    await keepFile(THIRD, { size: MOST, digest: 'known', kind: 'hazard-log' });
    await expect(send(THIRD, 100, 'known')).resolves.toBe('kept');
    await expect(send(THIRD, 1)).rejects.toMatchObject({ code: 'uploads_full' });
    await keepFile(THIRD, { size: 1, digest: 'other' });
    await expect(send(THIRD, 100, 'known')).resolves.toBe('kept');
    await StoredFile.updateMany({ accountId: THIRD, kind: 'tickets' }, { $set: { removed: true } });
    await StoredFile.updateOne({ accountId: THIRD, digest: 'known' }, { $set: { removed: true } });
    for (const kind of ['result', 'export', 'document'] as const) await keepFile(THIRD, { size: MOST, kind });
    await expect(send(THIRD, MOST)).resolves.toBe('kept');
  }));

test('the refusal names the day on which the oldest file expires', () =>
  runInAccount(FOURTH, async () => {
    await keepFile(FOURTH, {
      size: MOST,
      createdAt: new Date('2026-03-02'),
      expiresAt: new Date('2026-05-31T09:00:00Z'),
    });
    await keepFile(FOURTH, { size: 1, createdAt: new Date('2026-03-01'), expiresAt: new Date('2026-05-30T09:00:00Z') });
    await expect(send(FOURTH, 1)).rejects.toMatchObject({ values: { day: '2026-05-30', megabytes: MOST / 2 ** 20 } });
    // If no file expires, no day is named.
    await StoredFile.updateMany({ accountId: FOURTH }, { $unset: { expiresAt: '' } });
    await expect(send(FOURTH, 1)).rejects.toMatchObject({ values: { day: 'a later day' } });
  }));

test('other accounts’ files do not count', () =>
  runInAccount(FIFTH, async () => {
    await runInAccount(SIXTH, () => keepFile(SIXTH, { size: MOST }));
    await expect(send(FIFTH, MOST)).resolves.toBe('kept');
  }));

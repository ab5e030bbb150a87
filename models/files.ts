import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import mongoose, { Types } from 'mongoose';
import { AppError } from './contracts/errors.ts';
import { LIMITS } from './contracts/limits.ts';
import { type FileRow, StoredFile } from './file.ts';
import { isDuplicateKey } from './store/duplicate.ts';

/** GridFS bucket of all files; a file's row is what scopes it to its account. */
function bucket() {
  const { db } = mongoose.connection;
  if (!db) throw new AppError('store_unavailable');
  return new mongoose.mongo.GridFSBucket(db, { bucketName: 'files', chunkSizeBytes: 255 * 1024 });
}

export type NewFile = Pick<FileRow, 'accountId' | 'name' | 'kind' | 'type' | 'key'> & {
  originalName?: string;
  addedBy?: FileRow['addedBy'];
  bytes: Uint8Array;
};

/**
 * Keeps a file. The bytes are written first and the row last, so that a row always has its bytes; the same key again
 * gives the file that is there. A taken name gets a number: "log.xlsx", "log (2).xlsx".
 */
export async function keepFile(file: NewFile): Promise<FileRow> {
  const standing = await StoredFile.findOne({ accountId: file.accountId, key: file.key }).lean();
  if (standing) return standing;
  const _id = new Types.ObjectId();
  await pipeline(
    Readable.from([Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)]),
    bucket().openUploadStreamWithId(_id, file.name),
  );
  const row: FileRow = {
    _id,
    accountId: file.accountId,
    name: file.name,
    originalName: file.originalName ?? file.name,
    kind: file.kind,
    type: file.type,
    size: file.bytes.byteLength,
    digest: createHash('sha256').update(file.bytes).digest('hex'),
    key: file.key,
    createdAt: new Date(),
    addedBy: file.addedBy ?? null,
    expiresAt: file.kind === 'document' ? null : new Date(Date.now() + LIMITS.retentionDays * 86_400_000),
    removed: false,
  };
  for (let attempt = 0; ; attempt += 1) {
    if (attempt > 0) row.name = attempt < MAX_RACES ? await freeName(file) : withSuffix(file.name, String(_id));
    try {
      await StoredFile.create(row);
      return row;
    } catch (error) {
      if (isDuplicateKey(error, 'key')) {
        await bucket().delete(_id);
        return (await StoredFile.findOne({ accountId: file.accountId, key: file.key }).lean()) as FileRow;
      }
      if (!isDuplicateKey(error, 'name') || attempt >= MAX_RACES) throw error;
    }
  }
}

/** Files of one name that are told apart by a number; a further one carries an id, which is never taken. */
const MAX_NUMBER = 1000;
/** How often another writer may take a name that was just found free. */
const MAX_RACES = 10;

/** The first name that is free, e.g. "log (2).xlsx", found by one query however many are taken. */
async function freeName({ accountId, name }: Pick<NewFile, 'accountId' | 'name'>): Promise<string> {
  const wanted = Array.from({ length: MAX_NUMBER - 1 }, (_, index) => withSuffix(name, String(index + 2)));
  const taken = await StoredFile.find({ accountId, name: { $in: wanted } }, { name: 1 }).lean();
  const names = new Set(taken.map((row) => row.name));
  return wanted.find((one) => !names.has(one)) ?? withSuffix(name, String(new Types.ObjectId()));
}

function withSuffix(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)} (${suffix})${name.slice(dot)}` : `${name} (${suffix})`;
}

/** The file's row. @throws AppError file_not_found */
export async function findFile(filter: { _id: Types.ObjectId } | { name: string }): Promise<FileRow> {
  const row = await StoredFile.findOne(filter).lean();
  if (!row) throw new AppError('file_not_found');
  return row;
}

/** The bytes of a file. @throws AppError expired once they are no longer kept */
export async function readFileBytes(row: FileRow): Promise<Buffer<ArrayBuffer>> {
  return (await buffer(openFile(row))) as Buffer<ArrayBuffer>;
}

/** The bytes of a file as a stream. @throws AppError expired once they are no longer kept */
export function openFile(row: FileRow): Readable {
  if (row.removed || (row.expiresAt && row.expiresAt.getTime() <= Date.now())) throw new AppError('expired');
  return bucket().openDownloadStream(row._id);
}

/** Deletes a file: its row first, so that nobody finds a row without bytes. */
export async function deleteFile(row: FileRow): Promise<void> {
  await StoredFile.deleteOne({ _id: row._id });
  await bucket()
    .delete(row._id)
    .catch(() => undefined);
}

/** Removes the bytes of files past their date; the row stays and says so. */
export async function removeExpiredFiles(now = new Date()): Promise<number> {
  const due = await StoredFile.find({ expiresAt: { $lte: now }, removed: false })
    .limit(500)
    .lean();
  for (const row of due) {
    await bucket()
      .delete(row._id)
      .catch(() => undefined);
    await StoredFile.updateOne({ _id: row._id }, { $set: { removed: true } });
  }
  return due.length;
}

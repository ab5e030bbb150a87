import { createHash } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import mongoose, { Types } from 'mongoose';
import { AppError } from './contracts/errors.ts';
import { LIMITS } from './contracts/limits.ts';
import { digestOf } from './digest.ts';
import { DocumentWord } from './documentWord.ts';
import { type FileRow, StoredFile } from './file.ts';
import { IndexedDocument } from './indexedDocument.ts';
import { isDuplicateKey } from './store/duplicate.ts';
import { requireRow } from './store/requireRow.ts';

type Bucket = InstanceType<typeof mongoose.mongo.GridFSBucket>;
/** One for each connection: a new one looks for its indexes again on its first upload. */
const buckets = new WeakMap<object, Bucket>();

/** GridFS bucket of all files. It is not scoped to accounts: access goes through the file's row, which is. */
function bucket(): Bucket {
  const { db } = mongoose.connection;
  if (!db) throw new AppError('store_unavailable');
  const known = buckets.get(db);
  if (known) return known;
  const made = new mongoose.mongo.GridFSBucket(db, { bucketName: 'files', chunkSizeBytes: 255 * 1024 });
  buckets.set(db, made);
  return made;
}

type NewFile = Pick<FileRow, 'accountId' | 'name' | 'kind' | 'type' | 'key'> & {
  originalName?: string;
  addedBy?: FileRow['addedBy'];
  source?: FileRow['source'];
  bytes: Uint8Array;
  /** The SHA-256 of the bytes, where it is known. */
  digest?: string;
  /** Days for which it is kept; those of every file where absent. */
  keptDays?: number;
};

/**
 * Stores a file. The bytes are written before the row, so that every row has its bytes. An existing key returns the
 * existing file. A name that is taken gets a number: "log.xlsx", "log (2).xlsx".
 */
export async function keepFile(file: NewFile): Promise<FileRow> {
  const standing = await StoredFile.findOne({ accountId: file.accountId, key: file.key }).lean();
  if (standing) return standing;
  const _id = new Types.ObjectId();
  await pipeline(
    Readable.from([Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)]),
    openUpload(_id, file),
  );
  return keepRow(_id, file, { size: file.bytes.byteLength, digest: file.digest ?? (await digestOf(file.bytes)) });
}

/**
 * Stores a text that is too large for memory, sent through a transformation such as gzip, as {@link keepFile} does. What is left of a stream that fails is removed by
 * {@link sweepBytesWithoutRow}.
 */
export async function keepStream(
  file: Omit<NewFile, 'bytes' | 'digest'>,
  from: AsyncIterable<string>,
  through: Transform,
): Promise<FileRow> {
  const standing = await StoredFile.findOne({ accountId: file.accountId, key: file.key }).lean();
  if (standing) return standing;
  const _id = new Types.ObjectId();
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    from,
    through,
    async function* measure(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.byteLength;
        yield chunk;
      }
    },
    openUpload(_id, file),
  );
  return keepRow(_id, file, { size, digest: hash.digest('hex') });
}

/** The metadata names the account, so that erasing it also finds bytes whose row was never written. */
const openUpload = (_id: Types.ObjectId, { name, accountId }: Pick<NewFile, 'name' | 'accountId'>) =>
  bucket().openUploadStreamWithId(_id, name, { metadata: { accountId } });

/** When a new file is no longer kept; documents stay until somebody deletes them. */
function expiryOf({ kind, keptDays = LIMITS.retentionDays }: Pick<NewFile, 'kind' | 'keptDays'>): Date | null {
  return kind === 'document' ? null : new Date(Date.now() + keptDays * 86_400_000);
}

async function keepRow(
  _id: Types.ObjectId,
  file: Omit<NewFile, 'bytes' | 'digest'>,
  { size, digest }: Pick<FileRow, 'size' | 'digest'>,
): Promise<FileRow> {
  const row: FileRow = {
    ...{ _id, size, digest },
    accountId: file.accountId,
    name: file.name,
    originalName: file.originalName ?? file.name,
    kind: file.kind,
    type: file.type,
    key: file.key,
    createdAt: new Date(),
    addedBy: file.addedBy ?? null,
    source: file.source ?? null,
    expiresAt: expiryOf(file),
    removed: false,
  };
  for (let attempt = 0; ; attempt += 1) {
    if (attempt > 0) row.name = attempt < MAX_NAME_RETRIES ? await freeName(file) : withSuffix(file.name, String(_id));
    try {
      await StoredFile.create(row);
      return row;
    } catch (error) {
      if (isDuplicateKey(error, 'key')) {
        await dropBytes([_id]);
        return requireRow(await StoredFile.findOne({ accountId: file.accountId, key: file.key }).lean());
      }
      if (!isDuplicateKey(error, 'name') || attempt >= MAX_NAME_RETRIES) throw error;
    }
  }
}

/** Numbered names tried for one file name; after that the name gets an id, which is unique. */
const MAX_NUMBER = 1000;
/** Retries when another writer takes the free name first. */
const MAX_NAME_RETRIES = 10;

/** The first free name, e.g. "log (2).xlsx"; one query, however many are taken. */
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

/** Deletes a file's words from the index of documents. */
export async function forgetWords({ accountId, _id: fileId }: Pick<FileRow, 'accountId' | '_id'>): Promise<void> {
  await IndexedDocument.deleteMany({ accountId, fileId });
  await DocumentWord.deleteMany({ accountId, fileId });
}

/** Deletes a file: its row first, so that nobody finds a row without bytes. */
export async function deleteFile(row: FileRow): Promise<void> {
  await StoredFile.deleteOne({ _id: row._id });
  await forgetWords(row);
  await dropBytes([row._id]);
}

/** Stores bytes without a row, for other processes: they are swept after an hour. @returns their id */
export async function keepBytes(accountId: number, bytes: Uint8Array): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId();
  await pipeline(
    Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]),
    bucket().openUploadStreamWithId(_id, 'bytes', { metadata: { accountId } }),
  );
  return _id;
}

/** Reads bytes of {@link keepBytes}. */
export const readBytes = (_id: Types.ObjectId): Promise<Buffer> => buffer(bucket().openDownloadStream(_id));

/** Deletes the bytes of files; what is gone already is fine. */
export async function dropBytes(ids: readonly Types.ObjectId[]): Promise<void> {
  const files_id = { $in: [...ids] };
  await bytesIn('chunks').deleteMany({ files_id });
  await bytesIn('files').deleteMany({ _id: files_id });
}

/** The raw GridFS collection: `chunks` are written first, the `files` entry last. */
function bytesIn(part: 'chunks' | 'files') {
  const { db } = mongoose.connection;
  if (!db) throw new AppError('store_unavailable');
  return db.collection(`files.${part}`);
}

/** Bytes without a row are kept this long: whoever stores them may not have written the row yet. */
const GRACE_MS = 60 * 60_000;
const BATCH = 500;

/**
 * Deletes bytes that no row refers to. They are left when a process dies during an upload, between the bytes and the
 * row, or between deleting the row and the bytes.
 * @returns the number of files whose bytes were deleted
 */
export async function sweepBytesWithoutRow(now = new Date()): Promise<number> {
  const before = Types.ObjectId.createFromTime(Math.floor((now.getTime() - GRACE_MS) / 1000));
  let after = new Types.ObjectId('0'.repeat(24));
  let gone = 0;
  for (;;) {
    const ids = await nextIds(after, before);
    if (ids.length === 0) return gone;
    const rows = await StoredFile.find({ _id: { $in: ids } }, { _id: 1 }).lean();
    const known = new Set(rows.map(({ _id }) => String(_id)));
    const orphans = ids.filter((id) => !known.has(String(id)));
    if (orphans.length > 0) await dropBytes(orphans);
    gone += orphans.length;
    after = ids.at(-1) ?? before;
  }
}

/** The next ids in order that have stored bytes, with or without a `files` entry. */
async function nextIds(after: Types.ObjectId, before: Types.ObjectId): Promise<Types.ObjectId[]> {
  const files = await bytesIn('files')
    .find({ _id: { $gt: after, $lt: before } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  const last = files.at(-1)?._id;
  const complete = files.length === BATCH && last ? { $lte: last } : { $lt: before };
  const chunks = await chunkIds(after, complete, new Set(files.map(({ _id }) => String(_id))));
  return [...files.map(({ _id }) => _id), ...chunks].sort((a, b) => a.toHexString().localeCompare(b.toHexString()));
}

/** The ids in a range that have chunks but no `files` entry: interrupted uploads. Each step is one index lookup. */
async function chunkIds(
  after: Types.ObjectId,
  until: { $lte: Types.ObjectId } | { $lt: Types.ObjectId },
  entered: ReadonlySet<string>,
): Promise<Types.ObjectId[]> {
  const found: Types.ObjectId[] = [];
  for (let from = after; ; ) {
    const chunk = await bytesIn('chunks').findOne(
      { files_id: { $gt: from, ...until } },
      { projection: { files_id: 1 }, sort: { files_id: 1, n: 1 } },
    );
    if (!chunk) return found;
    from = chunk.files_id as Types.ObjectId;
    if (!entered.has(String(from))) found.push(from);
  }
}

/**
 * Deletes the bytes of expired files and marks their rows as removed.
 * @returns the number of files
 */
export async function removeExpiredFiles(now = new Date()): Promise<number> {
  const due = await StoredFile.find({ expiresAt: { $lte: now }, removed: false })
    .limit(500)
    .lean();
  for (const row of due) {
    await forgetWords(row);
    await dropBytes([row._id]);
    await StoredFile.updateOne({ _id: row._id }, { $set: { removed: true } });
  }
  return due.length;
}

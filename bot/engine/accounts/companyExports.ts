import { createGzip } from 'node:zlib';
import { Types } from 'mongoose';
import { AccountExport, type AccountExportRow } from '../../../models/accountExport.ts';
import { runInBackground } from '../../../models/background.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { ACCOUNT_EXPORT, type FileRow, StoredFile } from '../../../models/file.ts';
import { keepStream } from '../../../models/files.ts';
import { logger } from '../../../models/logger.ts';
import type { Who } from '../../../models/policies/who.ts';
import { dangerouslyCountAccount } from '../../../models/store/accountRows.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { defineWork } from '../../../models/store/work.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { exportCompany } from './exportAccount.ts';

/** How often progress is saved. */
const PROGRESS_MS = 1000;

/** Exports of everything that a company holds, as work. The file is kept for {@link LIMITS.accountExports} days. */
export const exports = defineWork<AccountExportRow>({
  name: 'exports',
  rows: AccountExport,
  open: { status: 'preparing' },
  asRead: ({ status }) => ({ status }),
  dead: { status: 'failed' },
  dropped: { status: 'dropped' },
  lanes: [{}],
  leaseMs: 60_000,
  retry: { attempts: 5, firstWait: 15_000, longestWait: 600_000, jitter: 0.25 },
  // Each reads a whole company.
  atOnce: 1,
  isLong: true,
  groupOf: () => null,
});

/** Prepares every export that is due. @returns the number claimed */
export const sweepExports = (): Promise<number> =>
  exports.sweep({ handle: prepare, tellSetAside: async () => undefined });

/** Writes the file of a claimed export; after a crash it is written again, and kept once by its key. */
async function prepare(row: AccountExportRow): Promise<void> {
  const { _id, accountId } = row;
  await exports.hold(row, async (signal) => {
    try {
      const total = await dangerouslyCountAccount(accountId);
      await exports.keep(row, { done: 0, total });
      const file = await keepStream(
        {
          ...{ accountId, kind: ACCOUNT_EXPORT, key: `account-export:${_id}`, type: 'application/gzip' },
          name: `Everything in Arc, ${row.createdAt.toISOString().slice(0, 10)}.jsonl.gz`,
          keptDays: LIMITS.accountExports.days,
        },
        linesWithProgress(row, total, signal),
        createGzip(),
      );
      await exports.complete(row, { status: 'ready', fileId: file._id, done: total, total });
    } catch (error) {
      logger.warn({ account: accountId, export: String(_id), err: error }, 'an export was not written');
      await exports.fail(row, error);
    }
  });
}

async function* linesWithProgress(row: AccountExportRow, total: number, signal: AbortSignal) {
  let done = 0;
  let savedAt = Date.now();
  const lines = exportCompany(row.accountId, row.askedBy.userId, () => {
    done += 1;
  });
  for await (const text of lines) {
    signal.throwIfAborted();
    if (Date.now() - savedAt >= PROGRESS_MS) {
      savedAt = Date.now();
      await exports.keep(row, { done: Math.min(done, total) });
    }
    yield text;
  }
}

/** An export as an owner sees it. */
export type ShownExport = { row: AccountExportRow; file: FileRow | null };

/** The company's newest exports; those whose file is no longer kept are left out. */
export async function readExports({ accountId }: Who, now = new Date()): Promise<ShownExport[]> {
  const rows = await AccountExport.find({ accountId, status: { $ne: 'dropped' } })
    .sort({ createdAt: -1 })
    .limit(LIMITS.accountExports.listed)
    .lean();
  const ids = rows.flatMap(({ fileId }) => fileId ?? []);
  const files = await StoredFile.find({ accountId, _id: { $in: ids } }).lean();
  const kept = new Map(files.filter((file) => isKept(file, now)).map((file) => [String(file._id), file]));
  return rows
    .map((row) => ({ row, file: kept.get(String(row.fileId)) ?? null }))
    .filter(({ row, file }) => row.status !== 'ready' || file !== null);
}

const isKept = ({ removed, expiresAt }: FileRow, now: Date) => !removed && (expiresAt === null || expiresAt > now);

/** Asks for an export of everything; while one is being prepared, that one is given instead. */
export async function askForExport({ accountId, userId, name }: Who): Promise<ShownExport> {
  const _id = new Types.ObjectId();
  const standing = () => AccountExport.findOne({ accountId, status: 'preparing' }).lean();
  const earlier = await standing();
  if (earlier) return { row: earlier, file: null };
  await recordEvent(accountId, 'account.export-asked', { userId, subject: `account:${accountId}`, outcome: 'asked' });
  const isMade = await onceByKey(() =>
    AccountExport.create({ _id, accountId, askedBy: { userId, name }, createdAt: new Date() } as never),
  );
  runInBackground('exports of companies', sweepExports());
  return { row: requireRow(isMade ? await AccountExport.findById(_id).lean() : await standing()), file: null };
}

/** The file of one of the company's exports. @throws AppError not_found, export_over */
export async function findExport({ accountId }: Who, id: string): Promise<FileRow> {
  const row = await AccountExport.findOne({ accountId, _id: new Types.ObjectId(id) }).lean();
  if (!row?.fileId) throw new AppError('not_found');
  const file = await StoredFile.findOne({ accountId, _id: row.fileId }).lean();
  if (!file || !isKept(file, new Date())) throw new AppError('export_over');
  return file;
}

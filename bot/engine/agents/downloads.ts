import { ACCOUNT_EXPORT, type FileRow, StoredFile } from '../../../models/file.ts';
import { readFileBytes } from '../../../models/files.ts';
import { isOwnExport } from '../delivery/ownExports.ts';
import { makeExport } from './registry.ts';

/** Results are internal; an owner gets an export of everything by its own call. */
const NOT_BY_NAME = ['result', ACCOUNT_EXPORT];

/**
 * A downloadable file by name: stored, or an export that is created on first request. An export's name leads to the
 * export, also where somebody has uploaded a file of that name.
 * @returns null where the account has no such file
 */
export async function findDownload(accountId: number, name: string): Promise<FileRow | null> {
  const own = isOwnExport(name) ? await makeExport(accountId, name) : null;
  const kept = own ?? (await StoredFile.findOne({ accountId, name }).lean());
  const row = kept ?? (await makeExport(accountId, name));
  return row && !NOT_BY_NAME.includes(row.kind) ? row : null;
}

/** {@link findDownload} with the bytes. */
export async function readDownload(accountId: number, name: string): Promise<{ row: FileRow; bytes: Buffer } | null> {
  const row = await findDownload(accountId, name);
  return row && { row, bytes: await readFileBytes(row) };
}

import { type FileRow, StoredFile } from '../../../models/file.ts';
import { readFileBytes } from '../../../models/files.ts';
import { makeExport } from './registry.ts';

/**
 * A file that people may have, by its name: kept, or an export that is made when it is first asked for. Results are
 * kept for the engine alone.
 * @returns null where the account has none of that name
 */
export async function findDownload(accountId: number, name: string): Promise<FileRow | null> {
  const kept = await StoredFile.findOne({ accountId, name }).lean();
  const row = kept ?? (await makeExport(accountId, name));
  return row && row.kind !== 'result' ? row : null;
}

/** The same with its bytes. */
export async function readDownload(accountId: number, name: string): Promise<{ row: FileRow; bytes: Buffer } | null> {
  const row = await findDownload(accountId, name);
  return row && { row, bytes: await readFileBytes(row) };
}

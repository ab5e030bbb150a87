import type { FileRow } from '../../../models/file.ts';
import { readFileBytes } from '../../../models/files.ts';
import { logger } from '../../../models/logger.ts';
import { textOf } from './documentText.ts';

/** The bytes of a stored file; null where they can't be read. */
export async function readStoredBytes(row: FileRow): Promise<Uint8Array | null> {
  try {
    return await readFileBytes(row);
  } catch (error) {
    logger.info({ error, fileId: String(row._id) }, 'a document could not be read');
    return null;
  }
}

/** {@link textOf} of a stored file. */
export async function readDocumentText(row: FileRow): Promise<string | null> {
  const bytes = await readStoredBytes(row);
  return bytes && textOf(row.name, bytes);
}

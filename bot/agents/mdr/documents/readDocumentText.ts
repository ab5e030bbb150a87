import { readDocuments } from '../../../engine/documents/sandbox.ts';
import { readDocumentText } from '../../../engine/documents/storedText.ts';
import type { GivenDocument } from './findEvidence.ts';

/**
 * The account's documents with their texts.
 */
export async function readGivenDocuments(
  accountId: number,
  onProgress: (done: number, total: number) => void,
): Promise<GivenDocument[]> {
  const rows = await readDocuments(accountId);
  const documents: GivenDocument[] = [];
  for (const [at, row] of rows.entries()) {
    onProgress(at, rows.length);
    documents.push({ name: row.name, text: await readDocumentText(row) });
  }
  return documents;
}

import JSZip from 'jszip';
import type { FileRow } from '../../../../models/file.ts';
import { readFileBytes } from '../../../../models/files.ts';
import { logger } from '../../../../models/logger.ts';
import { readDocuments } from '../../../engine/documents/sandbox.ts';
import type { GivenDocument } from './findEvidence.ts';

/** So much of one document is read, of its text and of a part of its package. */
const MAX_CHARACTERS = 400_000;
const MAX_PART_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 2000;

/** The parts of an Office package that hold its words. */
const TEXT_PARTS = /^(?:word\/document|xl\/sharedStrings)\.xml$/;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The words of a part of a package. */
const wordsOf = (xml: string): string =>
  xml
    .replace(/<\/(?:w:p|w:tr|si)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Inflates a part, and stops at the limit: a small file can hold a very large part. */
function readPart(part: JSZip.JSZipObject): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stream = part.nodeStream();
    stream.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= MAX_PART_BYTES) chunks.push(chunk);
      else {
        stream.pause();
        resolve(null);
      }
    });
    stream.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    stream.on('error', reject);
  });
}

async function readPackage(bytes: Buffer): Promise<string | null> {
  const zip = await JSZip.loadAsync(bytes);
  if (Object.keys(zip.files).length > MAX_ENTRIES) return null;
  const part = Object.values(zip.files).find(({ name }) => TEXT_PARTS.test(name));
  const xml = part ? await readPart(part) : null;
  return xml === null ? null : wordsOf(xml);
}

/** The text of a document; null for a kind that is not read, such as PDF, and for a file that can't be opened. */
async function readText(row: FileRow): Promise<string | null> {
  const isPackage = /\.(?:docx|xlsx|xlsm)$/i.test(row.name);
  if (!isPackage && !/\.(?:md|txt|csv)$/i.test(row.name)) return null;
  try {
    const bytes = await readFileBytes(row);
    const text = isPackage ? await readPackage(bytes) : bytes.toString('utf8');
    return text?.slice(0, MAX_CHARACTERS) ?? null;
  } catch (error) {
    logger.info({ error, fileId: String(row._id) }, 'a document could not be read for the checklist');
    return null;
  }
}

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
    documents.push({ name: row.name, text: await readText(row) });
  }
  return documents;
}

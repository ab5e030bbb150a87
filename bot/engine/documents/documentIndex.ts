import { setImmediate } from 'node:timers/promises';
import { DocumentWord } from '../../../models/documentWord.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { forgetWords } from '../../../models/files.ts';
import { IndexedDocument as Indexed } from '../../../models/indexedDocument.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { textOf } from './documentText.ts';
import { readDocuments } from './sandbox.ts';
import { readSentences } from './sentences.ts';
import { readStoredBytes } from './storedText.ts';

/** Raise it where sentences or stems are read in another way: every document is then indexed again. */
const INDEX_VERSION = 1;
/** Sentences that are read, and words that are written, before others get their turn. */
const AT_ONCE = 200;

/** Sentences of a document that hold a word, and those of them that hold it themselves. */
type Counts = { sentences: number; own: number };

/** A document with how often it holds the words that were looked up. */
export type IndexedDocument = {
  name: string;
  row: FileRow;
  /** Null where its text can't be read. */
  sentences: number | null;
  words: ReadonlyMap<string, Counts>;
};

async function countWords(name: string, text: string): Promise<{ sentences: number; words: Map<string, Counts> }> {
  const words = new Map<string, Counts>();
  let sentences = 0;
  for (const { stems, headingStems } of readSentences({ name, text })) {
    sentences += 1;
    if (sentences % AT_ONCE === 0) await setImmediate();
    for (const stem of new Set([...stems, ...headingStems])) {
      const counts = words.get(stem) ?? { sentences: 0, own: 0 };
      counts.sentences += 1;
      if (stems.has(stem)) counts.own += 1;
      words.set(stem, counts);
    }
  }
  return { sentences, words };
}

/**
 * Reads a file once and keeps its words. After a crash in between it is read again.
 * @returns how many sentences it has; null where its text can't be read
 */
async function indexFile(row: FileRow): Promise<number | null> {
  const { accountId, _id: fileId } = row;
  const bytes = await readStoredBytes(row);
  // It may be readable the next time.
  if (bytes === null) return null;
  const text = await textOf(row.name, bytes);
  const counted = text === null ? null : await countWords(row.name, text);
  const rows = [...(counted?.words ?? [])].map(([stem, counts]) => ({
    ...{ accountId, fileId, stem, version: INDEX_VERSION },
    ...counts,
  }));
  await DocumentWord.deleteMany({ accountId, fileId, version: { $ne: INDEX_VERSION } } as never);
  for (let at = 0; at < rows.length; at += AT_ONCE)
    // Another process may index the same file, with the same result.
    await onceByKey(() => DocumentWord.insertMany(rows.slice(at, at + AT_ONCE), { ordered: false }));
  const sentences = counted?.sentences ?? null;
  await onceByKey(() =>
    Indexed.updateOne({ accountId, fileId }, { $set: { version: INDEX_VERSION, sentences } }, { upsert: true }),
  );
  // Deleted meanwhile: its words may have come after that.
  if (!(await StoredFile.exists({ accountId, _id: fileId, removed: false }))) await forgetWords(row);
  return sentences;
}

/** By file id, the sentences of the files that are indexed. */
async function readIndexed(accountId: number, files: readonly FileRow[]): Promise<Map<string, number | null>> {
  const ids = files.map(({ _id }) => _id);
  const known = await Indexed.find({ accountId, fileId: { $in: ids }, version: INDEX_VERSION }).lean();
  return new Map(known.map(({ fileId, sentences }) => [String(fileId), sentences]));
}

/** Indexes the documents of an account that are not: new ones and changed ones. @returns how many */
export async function indexDocuments(accountId: number, signal?: AbortSignal): Promise<number> {
  const files = await readDocuments(accountId);
  const known = await readIndexed(accountId, files);
  const missing = files.filter(({ _id }) => !known.has(String(_id)));
  for (const file of missing) {
    signal?.throwIfAborted();
    await indexFile(file);
  }
  return missing.length;
}

/**
 * Looks up words in the index. Files that are not indexed yet are indexed first, so that nothing is missed. Only the
 * given files are looked at: what is deleted, or not for who asks, is not among them.
 * @param stems of the words ({@link wordsOf} in `stems.ts`)
 * @returns the files in their order
 */
export async function lookUp(
  accountId: number,
  files: readonly FileRow[],
  stems: readonly string[],
): Promise<IndexedDocument[]> {
  const known = await readIndexed(accountId, files);
  for (const file of files) {
    const key = String(file._id);
    if (!known.has(key)) known.set(key, await indexFile(file));
  }
  const found = await DocumentWord.find({ accountId, stem: { $in: [...stems] }, version: INDEX_VERSION }).lean();
  const byFile = new Map<string, Map<string, Counts>>();
  for (const { fileId, stem, sentences, own } of found) {
    const words = byFile.get(String(fileId)) ?? new Map<string, Counts>();
    byFile.set(String(fileId), words.set(stem, { sentences, own }));
  }
  return files.map((row) => ({
    name: row.name,
    row,
    sentences: known.get(String(row._id)) ?? null,
    words: byFile.get(String(row._id)) ?? new Map(),
  }));
}

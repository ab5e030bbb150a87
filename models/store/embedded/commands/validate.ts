import { Catalogue } from '../catalogue/catalogue.ts';
import { type Collection, owned, recordOf } from '../catalogue/collection.ts';
import { entriesOf, entryKey } from '../catalogue/records.ts';
import { CommandError, fail } from '../errors.ts';
import type { Engine, Range, Table } from '../storage/engine.ts';
import { Turn } from '../turn.ts';
import type { Handler } from './context.ts';

/** Keys that are read at once. */
const CHUNK = 200;
/** Errors that a reply lists; the others are counted only. */
const MAX_LISTED = 20;

/** The keys of a range, in as many turns as it takes. */
async function* keysIn(table: Table, { start, end }: Range): AsyncIterable<Buffer> {
  const turn = new Turn();
  for (let from = start; ; ) {
    const keys = table.keys({ start: from, end, limit: CHUNK });
    yield* keys;
    const last = keys.at(-1);
    if (!last) return;
    from = Buffer.concat([last, Buffer.of(0)]);
    if (turn.isOver()) await turn.next();
  }
}

/** Whether a value is there and as it was written. */
function isSound(read: () => Buffer | undefined): boolean {
  try {
    return read() !== undefined;
  } catch (error) {
    if (error instanceof CommandError && error.codeName === 'DataDamaged') return false;
    throw error;
  }
}

/** Reads every document of a collection and compares the entries of its indexes with it. */
async function examine({ docs, entries }: Engine, { number, indexes, count }: Collection) {
  const errors: string[] = [];
  const expected = new Map(indexes.map((index) => [index, 0]));
  let nrecords = 0;
  let nInvalidDocuments = 0;
  for await (const key of keysIn(docs, owned(number))) {
    nrecords++;
    const record = recordOf(key);
    if (!isSound(() => docs.get(key))) {
      nInvalidDocuments++;
      errors.push(`document ${record} is damaged`);
      continue;
    }
    const raw = docs.get(key)!;
    for (const index of indexes) {
      const { keys } = entriesOf(index, raw);
      expected.set(index, expected.get(index)! + keys.length);
      const isComplete = keys.every((one) => isSound(() => entries.get(entryKey(index.number, one, record))));
      if (!isComplete) errors.push(`document ${record} is missing in index ${index.name}`);
    }
  }
  const keysPerIndex: Record<string, number> = {};
  for (const index of indexes) {
    let found = 0;
    for await (const _ of keysIn(entries, owned(index.number))) found++;
    keysPerIndex[index.name] = found;
    // What a damaged document had in the index is not known.
    if (nInvalidDocuments === 0 && found > expected.get(index)!)
      errors.push(`index ${index.name} has ${found - expected.get(index)!} entries of no document`);
  }
  if (nrecords !== count) errors.push(`${count} documents are expected, ${nrecords} were found`);
  return { nInvalidDocuments, nrecords, keysPerIndex, errors };
}

/** Walks a collection as it is now: {validate: 'name'}. */
export const validate: Handler = async ({ ns, store: { engine } }) => {
  const { release, ...tables } = engine.snapshot(() => undefined);
  try {
    const view = { ...engine, ...tables };
    const collection = new Catalogue(view).list().find((item) => item.ns === ns);
    if (!collection) fail('NamespaceNotFound', `Collection '${ns}' does not exist to validate.`);
    const isReadable = engine.isWritable || !collection.isDamaged;
    const found = isReadable
      ? await examine(view, collection)
      : { nInvalidDocuments: 0, nrecords: 0, keysPerIndex: {}, errors: ['pages that hold its keys are damaged'] };
    const errors = found.errors.slice(0, MAX_LISTED);
    return { ns, nIndexes: collection.indexes.length, ...found, valid: errors.length === 0, errors, warnings: [] };
  } finally {
    release();
  }
};

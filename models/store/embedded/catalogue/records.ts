import { readDoc, seek, valueSize } from '../bson/read.ts';
import { show } from '../bson/show.ts';
import { type Doc, isOperatorName, ObjectId } from '../bson/value.ts';
import { MAX_DOCUMENT, withId, withIdFirst } from '../bson/write.ts';
import { fail } from '../errors.ts';
import { Raw } from '../filter/path.ts';
import { type DocKeys, documentKeys } from '../keys/document.ts';
import { after } from '../keys/encode.ts';
import type { Engine } from '../storage/engine.ts';
import type { Turn } from '../turn.ts';
import { type Collection, docKey, owned, prefix, RECORD, recordOf, writeCollection } from './collection.ts';
import type { IndexSpec } from './spec.ts';

/** Entries have nothing but their key, and its digest. */
const PRESENT = Buffer.alloc(0);
const ID = Buffer.from('_id');
const NO_KEYS: DocKeys = { keys: [], multikey: false, absent: false, shortened: false, values: [] };

/** The key of an index entry: the index, the fields' bytes, the record. */
export function entryKey(index: number, key: Buffer, record: number): Buffer {
  const out = Buffer.allocUnsafe(4 + key.length + RECORD);
  out.writeUInt32BE(index, 0);
  key.copy(out, 4);
  out.writeUIntBE(record, 4 + key.length, RECORD);
  return out;
}

/** Documents that an index is built from before the clock is looked at. */
const BUILT_AT_ONCE = 50;

/** The indexes that a write keeps. */
const kept = ({ indexes, building }: Collection): IndexSpec[] =>
  building.length === 0 ? indexes : [...indexes, ...building];

/** The keys that are not among the others. */
const without = (keys: Buffer[], others: Buffer[]): Buffer[] =>
  others.length === 0 ? keys : keys.filter((key) => !others.some((other) => other.equals(key)));

/** Reads and writes the records of collections and keeps their indexes. Writes only run inside `engine.write`. */
export function recordsOf(engine: Engine) {
  const { docs, entries } = engine;
  /** The collections whose counts the transaction changed. */
  const counted = new Set<Collection>();

  function checkUnique(collection: Collection, index: IndexSpec, keys: Buffer[], raw: Buffer, own: number): void {
    for (const key of keys) {
      const start = Buffer.concat([prefix(index.number), key]);
      for (const entry of entries.keys({ start, end: after(start), limit: 2 }))
        if (entry.length === start.length + RECORD && recordOf(entry) !== own) duplicate(collection, index, raw);
    }
  }

  /**
   * Updates the indexes for a document that changes from `old` to `raw`. Only entries that differ are written; nothing
   * is written if it fails.
   */
  function update(collection: Collection, indexes: IndexSpec[], record: number, old?: Buffer, raw?: Buffer): void {
    const changes = indexes.map((index) => {
      const before = entriesOf(index, old);
      const now = entriesOf(index, raw);
      const added = without(now.keys, before.keys);
      if (index.unique && raw) checkUnique(collection, index, added, raw, record);
      return { index, now, added, removed: without(before.keys, now.keys) };
    });
    for (const { index, now, added, removed } of changes) {
      for (const key of removed) entries.remove(entryKey(index.number, key, record));
      for (const key of added) entries.put(entryKey(index.number, key, record), PRESENT);
      if ((index.multikey || !now.multikey) && (index.shortened || !now.shortened)) continue;
      index.multikey ||= now.multikey;
      index.shortened ||= now.shortened;
      writeCollection(engine, collection);
    }
  }

  return {
    counted,

    /** Inserts a raw document (with `_id` first) and returns its record number; nothing is written when it fails. */
    insert(collection: Collection, raw: Buffer): number {
      const record = collection.nextRecord;
      update(collection, kept(collection), record, undefined, raw);
      docs.put(docKey(collection.number, record), raw);
      collection.nextRecord++;
      collection.count++;
      counted.add(collection);
      return record;
    },

    /** Replaces a record's document; nothing is written when it fails. */
    replace(collection: Collection, record: number, old: Buffer, raw: Buffer): void {
      update(collection, kept(collection), record, old, raw);
      docs.put(docKey(collection.number, record), raw);
    },

    /** Removes a record and its entries. */
    remove(collection: Collection, record: number, old: Buffer): void {
      update(collection, kept(collection), record, old);
      docs.remove(docKey(collection.number, record));
      collection.count--;
      counted.add(collection);
    },

    /**
     * Fills a new index from the documents from a key on, until the turn is over. Throws 11000 when they do not allow it.
     * @returns the key to go on from; undefined once the index is complete
     */
    build(collection: Collection, index: IndexSpec, from?: Buffer, turn?: Turn): Buffer | undefined {
      const all = owned(collection.number);
      for (let start = from ?? all.start; ; ) {
        const keys = docs.keys({ ...all, start, limit: BUILT_AT_ONCE });
        for (const key of keys) update(collection, [index], recordOf(key), undefined, docs.get(key));
        const last = keys.at(-1);
        if (!last) return undefined;
        start = Buffer.concat([last, Buffer.of(0)]);
        if (turn?.isOver()) return start;
      }
    },
  };
}

export type Records = ReturnType<typeof recordsOf>;

/** The entries that a document has in an index: none where a sparse or partial index leaves it out. */
export function entriesOf({ partial, sparse, fields }: IndexSpec, raw: Buffer | undefined): DocKeys {
  const source = raw && new Raw(raw);
  if (!source || (partial && !partial.condition(source))) return NO_KEYS;
  const found = documentKeys(source, fields);
  return sparse && found.absent ? NO_KEYS : found;
}

function duplicate(collection: Collection, index: IndexSpec, raw: Buffer): never {
  const { values } = documentKeys(new Raw(raw), index.fields);
  const keyValue: Doc = new Map(index.fields.map((field, i) => [field.name, values[i] ?? null]));
  const where = `collection: ${collection.ns} index: ${index.name} dup key: ${show(keyValue)}`;
  fail('DuplicateKey', `E11000 duplicate key error ${where}`, { keyPattern: index.document.get('key'), keyValue });
}

const BAD_ID: Record<number, string> = { 4: 'array', 6: 'undefined', 11: 'regex' };

function withCheckedId(raw: Buffer, element: number): Buffer {
  const [type, at] = [raw[element]!, element + 5];
  if (BAD_ID[type]) fail('InvalidIdField', `The '_id' value cannot be of type ${BAD_ID[type]}`);
  const [name] = type === 3 ? readDoc(raw, at).keys() : [];
  if (isOperatorName(name))
    fail('DollarPrefixedFieldName', `_id fields may not be '$'-prefixed: ${name} is not valid for storage.`);
  return element === 4 ? raw : withIdFirst(raw, element, 5 + valueSize(type, raw, at));
}

/**
 * Prepares a document for storage: `_id` first, generated where it is missing. Throws BSONObjectTooLarge, and 52 or 53
 * for an invalid `_id`.
 */
export function prepare(raw: Buffer): Buffer {
  const element = seek(raw, 0, ID);
  const ready = element < 0 ? withId(raw, new ObjectId()) : withCheckedId(raw, element);
  if (ready.length > MAX_DOCUMENT)
    fail('BSONObjectTooLarge', `BSONObj size: ${ready.length} is invalid. Size must be between 0 and 16793600(16MB)`);
  return ready;
}

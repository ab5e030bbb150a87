import { readDoc, seek, valueSize } from '../bson/read.ts';
import { show } from '../bson/show.ts';
import { type Doc, isOperatorName, ObjectId, type Value } from '../bson/value.ts';
import { MAX_DOCUMENT, withId, withIdFirst } from '../bson/write.ts';
import { fail } from '../errors.ts';
import { Raw } from '../filter/path.ts';
import { type DocKeys, documentKeys, rawReader } from '../keys/document.ts';
import { after } from '../keys/encode.ts';
import type { Engine } from '../storage/engine.ts';
import type { IndexSpec } from './spec.ts';

/** A collection's place in the catalogue; counts and record numbers are kept up with every write. */
export type Collection = {
  readonly ns: string;
  readonly db: string;
  readonly name: string;
  readonly number: number;
  readonly options: Doc;
  readonly uuid: Value;
  indexes: IndexSpec[];
  count: number;
  nextRecord: number;
};

/** Bytes of a record number in keys. */
export const RECORD = 6;
const PRESENT = Buffer.from([1]);
const ID = Buffer.from('_id');
const NO_KEYS: DocKeys = { keys: [], multikey: false, absent: false, shortened: false, values: [] };

/** The key of a document. */
export function docKey(collection: number, record: number): Buffer {
  const key = Buffer.allocUnsafe(4 + RECORD);
  key.writeUInt32BE(collection, 0);
  key.writeUIntBE(record, 4, RECORD);
  return key;
}

/** The beginning of all keys of an index or collection. */
export function prefix(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number, 0);
  return key;
}

/** The record number at the end of a key. */
export const recordOf = (key: Buffer): number => key.readUIntBE(key.length - RECORD, RECORD);

function entryKey(index: number, key: Buffer, record: number): Buffer {
  const out = Buffer.allocUnsafe(4 + key.length + RECORD);
  out.writeUInt32BE(index, 0);
  key.copy(out, 4);
  out.writeUIntBE(record, 4 + key.length, RECORD);
  return out;
}

/** What the writes of one transaction have touched, to be persisted at its end. */
export type Touched = { counts: Set<Collection>; specs: Set<Collection> };

/** Reads and writes the records of collections and keeps their indexes. Writes only run inside `engine.write`. */
export class Records {
  private readonly engine: Engine;
  private readonly touched: Touched;

  constructor(engine: Engine, touched: Touched) {
    this.engine = engine;
    this.touched = touched;
  }

  /** The entries one document has in an index: none where a sparse or partial index leaves it out. */
  private entries(index: IndexSpec, raw: Buffer): DocKeys {
    const left = index.partial && !index.partial.condition(new Raw(raw));
    const found = left ? NO_KEYS : documentKeys(rawReader(raw), index.fields, index.fold);
    return index.sparse && found.absent ? NO_KEYS : found;
  }

  private checkUnique(collection: Collection, index: IndexSpec, keys: Buffer[], raw: Buffer, own: number): void {
    for (const key of index.unique ? keys : []) {
      const start = Buffer.concat([prefix(index.number), key]);
      for (const entry of this.engine.entries.keys({ start, end: after(start), limit: 2 })) {
        if (entry.length === start.length + RECORD && recordOf(entry) !== own) duplicate(collection, index, raw);
      }
    }
  }

  /** Writes the entries that a document gets in an index, which learns what kinds of keys it holds. */
  private put(collection: Collection, index: IndexSpec, found: DocKeys, added: Buffer[], record: number): void {
    if ((found.multikey && !index.multikey) || (found.shortened && !index.shortened)) {
      index.multikey ||= found.multikey;
      index.shortened ||= found.shortened;
      this.touched.specs.add(collection);
    }
    for (const key of added) this.engine.entries.put(entryKey(index.number, key, record), PRESENT);
  }

  /** Inserts a raw document (with `_id` first) and returns its record number; nothing is written when it fails. */
  insert(collection: Collection, raw: Buffer): number {
    checkSize(raw);
    const all = collection.indexes.map((index) => ({ index, found: this.entries(index, raw) }));
    for (const { index, found } of all) this.checkUnique(collection, index, found.keys, raw, -1);
    const record = collection.nextRecord++;
    this.engine.docs.put(docKey(collection.number, record), raw);
    for (const { index, found } of all) this.put(collection, index, found, found.keys, record);
    collection.count++;
    this.touched.counts.add(collection);
    return record;
  }

  /** Replaces a record's document; only entries that change are written. */
  replace(collection: Collection, record: number, before: Buffer, raw: Buffer): void {
    checkSize(raw);
    const changes = collection.indexes.map((index) => {
      const old = this.entries(index, before).keys;
      const found = this.entries(index, raw);
      const added = found.keys.filter((key) => !old.some((item) => item.equals(key)));
      const removed = old.filter((key) => !found.keys.some((item) => item.equals(key)));
      this.checkUnique(collection, index, added, raw, record);
      return { index, added, removed, found };
    });
    this.engine.docs.put(docKey(collection.number, record), raw);
    for (const { index, added, removed, found } of changes) {
      for (const key of removed) this.engine.entries.remove(entryKey(index.number, key, record));
      this.put(collection, index, found, added, record);
    }
  }

  /** Removes a record and its entries. */
  remove(collection: Collection, record: number, raw: Buffer): void {
    for (const index of collection.indexes) {
      for (const key of this.entries(index, raw).keys) this.engine.entries.remove(entryKey(index.number, key, record));
    }
    this.engine.docs.remove(docKey(collection.number, record));
    collection.count--;
    this.touched.counts.add(collection);
  }

  /** Fills a new index from the documents that are there. Throws 11000 when they do not allow it. */
  build(collection: Collection, index: IndexSpec): void {
    let start = docKey(collection.number, 0);
    const end = prefix(collection.number + 1);
    for (;;) {
      const keys = this.engine.docs.keys({ start, end, limit: 1000 });
      for (const key of keys) {
        const raw = this.engine.docs.get(key)!;
        const found = this.entries(index, raw);
        const record = recordOf(key);
        this.checkUnique(collection, index, found.keys, raw, record);
        this.put(collection, index, found, found.keys, record);
      }
      if (keys.length < 1000) return;
      start = Buffer.concat([keys.at(-1)!, Buffer.from([0])]);
    }
  }
}

function checkSize(raw: Buffer): void {
  if (raw.length > MAX_DOCUMENT)
    fail('BSONObjectTooLarge', `BSONObj size: ${raw.length} is invalid. Size must be between 0 and 16793600(16MB)`);
}

function duplicate(collection: Collection, index: IndexSpec, raw: Buffer): never {
  const { values } = documentKeys(rawReader(raw), index.fields, index.fold);
  const keyValue: Doc = new Map(index.fields.map((field, i) => [field.name, values[i] ?? null]));
  const where = `collection: ${collection.ns} index: ${index.name} dup key: ${show(keyValue)}`;
  fail('DuplicateKey', `E11000 duplicate key error ${where}`, { keyPattern: index.document.get('key'), keyValue });
}

/** Makes a document ready to be stored: its `_id` comes first, and one is made when it has none. */
export function prepare(raw: Buffer): Buffer {
  const element = seek(raw, 0, ID);
  if (element < 0) return withId(raw, new ObjectId());
  checkId(raw[element]!, raw, element + 5);
  const size = 5 + valueSize(raw[element]!, raw, element + 5);
  return element === 4 ? raw : withIdFirst(raw, element, size);
}

const BAD_ID: Record<number, string> = { 4: 'array', 6: 'undefined', 11: 'regex' };

function checkId(type: number, raw: Buffer, at: number): void {
  if (BAD_ID[type]) fail('InvalidIdField', `The '_id' value cannot be of type ${BAD_ID[type]}`);
  const [name] = type === 3 ? readDoc(raw, at).keys() : [];
  if (isOperatorName(name))
    fail('DollarPrefixedFieldName', `_id fields may not be '$'-prefixed: ${name} is not valid for storage.`);
}

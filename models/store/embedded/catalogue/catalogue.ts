import { equal } from '../bson/compare.ts';
import { readDoc } from '../bson/read.ts';
import { show } from '../bson/show.ts';
import { Binary, type Doc, Double, toNumber, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { CommandError, fail } from '../errors.ts';
import type { Engine } from '../storage/engine.ts';
import { type Collection, newUuid, prefix, Records, recordOf, type Touched } from './collection.ts';
import { checkNamespace, partsOf } from './namespace.ts';
import { type IndexSpec, parseIndex, sameIdentity, sameIndex } from './spec.ts';

const SPEC = 0x63;
const COUNT = 0x6e;
const GARBAGE = 0x67;
const NEXT = Buffer.from('next');

function metaKey(kind: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(5);
  key[0] = kind;
  key.writeUInt32BE(number, 1);
  return key;
}

const number64 = (value: number): Buffer => {
  const out = Buffer.allocUnsafe(8);
  out.writeDoubleBE(value, 0);
  return out;
};

/**
 * Knows the collections and their indexes. It is kept in memory and written in the same transaction as the data it
 * describes; when a transaction is rolled back, `reload` takes the state from the file again.
 */
export class Catalogue {
  readonly records: Records;
  private readonly engine: Engine;
  private readonly touched: Touched = { counts: new Set(), specs: new Set() };
  private collections = new Map<string, Collection>();
  private byNumber = new Map<number, Collection>();
  private nextNumber = 1;

  constructor(engine: Engine) {
    this.engine = engine;
    this.records = new Records(engine, this.touched);
    this.reload();
  }

  /** Reads the whole catalogue from the file. */
  reload(): void {
    this.collections = new Map();
    this.byNumber = new Map();
    this.touched.counts.clear();
    this.touched.specs.clear();
    const { meta, docs } = this.engine;
    const next = meta.get(NEXT);
    this.nextNumber = next ? next.readDoubleBE(0) : 1;
    const start = metaKey(SPEC, 0);
    for (const key of meta.keys({ start, end: metaKey(SPEC + 1, 0) })) {
      const stored = readDoc(meta.get(key)!);
      const number = key.readUInt32BE(1);
      const ns = stored.get('ns') as string;
      const last = docs.keys({ start: prefix(number), end: prefix(number + 1), limit: 1, reverse: true })[0];
      const count = meta.get(metaKey(COUNT, number));
      this.add({
        ns,
        ...partsOf(ns),
        number,
        options: stored.get('options') as Doc,
        uuid: stored.get('uuid'),
        indexes: (stored.get('indexes') as Doc[]).map(readIndex),
        count: count ? count.readDoubleBE(0) : 0,
        nextRecord: last ? recordOf(last) + 1 : 1,
      });
    }
  }

  private add(collection: Collection): void {
    this.collections.set(collection.ns, collection);
    this.byNumber.set(collection.number, collection);
  }

  find(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  withNumber(number: number): Collection | undefined {
    return this.byNumber.get(number);
  }

  list(db: string): Collection[] {
    return [...this.collections.values()].filter((item) => item.db === db).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  all(): Iterable<Collection> {
    return this.collections.values();
  }

  databases(): string[] {
    return [...new Set([...this.collections.values()].map((item) => item.db))].sort();
  }

  private number(): number {
    const number = this.nextNumber++;
    this.engine.meta.put(NEXT, number64(this.nextNumber));
    return number;
  }

  /** The collection, made when it is not there. */
  ensure(ns: string, options: Doc = new Map()): Collection {
    const found = this.collections.get(ns);
    if (found) return found;
    checkNamespace(ns);
    const number = this.number();
    const collection: Collection = {
      ns,
      ...partsOf(ns),
      number,
      options,
      uuid: new Binary(newUuid(), 4),
      indexes: [
        parseIndex(
          new Map<string, Value>([
            ['key', new Map([['_id', 1]])],
            ['name', '_id_'],
          ]),
          this.number(),
        ),
      ],
      count: 0,
      nextRecord: 1,
    };
    this.add(collection);
    this.touched.specs.add(collection);
    this.touched.counts.add(collection);
    return collection;
  }

  /** Writes what the transaction changed; runs as its last step. */
  persist(): void {
    for (const item of this.touched.specs) {
      if (this.byNumber.get(item.number) === item)
        this.engine.meta.put(metaKey(SPEC, item.number), writeDoc(specDocument(item)));
    }
    for (const item of this.touched.counts) {
      if (this.byNumber.get(item.number) === item)
        this.engine.meta.put(metaKey(COUNT, item.number), number64(item.count));
    }
    this.touched.specs.clear();
    this.touched.counts.clear();
  }

  /** Forgets a collection at once; its data is swept later. */
  drop(collection: Collection): void {
    this.collections.delete(collection.ns);
    this.byNumber.delete(collection.number);
    this.engine.meta.remove(metaKey(SPEC, collection.number));
    this.engine.meta.remove(metaKey(COUNT, collection.number));
    this.discard(collection.number);
    for (const index of collection.indexes) this.discard(index.number);
  }

  private discard(number: number): void {
    this.engine.meta.put(metaKey(GARBAGE, number), Buffer.from([1]));
  }

  /** Removes up to `limit` keys of what was dropped; false when nothing is left. */
  sweep(limit: number): boolean {
    const { meta, docs, entries } = this.engine;
    const key = meta.keys({ start: metaKey(GARBAGE, 0), end: metaKey(GARBAGE + 1, 0), limit: 1 })[0];
    if (!key) return false;
    const number = key.readUInt32BE(1);
    let left = limit;
    for (const table of [docs, entries]) {
      const found = left > 0 ? table.keys({ start: prefix(number), end: prefix(number + 1), limit: left }) : [];
      for (const item of found) table.remove(item);
      left -= found.length;
    }
    if (left > 0) meta.remove(key);
    return true;
  }

  hasGarbage(): boolean {
    return this.engine.meta.keys({ start: metaKey(GARBAGE, 0), end: metaKey(GARBAGE + 1, 0), limit: 1 }).length > 0;
  }

  /** Gives a collection another name. */
  rename(collection: Collection, ns: string): void {
    checkNamespace(ns);
    this.collections.delete(collection.ns);
    const renamed = { ...collection, ns, ...partsOf(ns) };
    this.add(renamed);
    this.touched.specs.add(renamed);
    this.touched.counts.add(renamed);
  }

  /** Replaces a collection's options, for collMod. */
  changed(collection: Collection): void {
    this.touched.specs.add(collection);
  }

  /** Whether createIndex would find this index there already. */
  hasIndex(collection: Collection, document: Doc): boolean {
    const draft = parseIndex(inherited(collection, document), 0);
    return collection.indexes.some((index) => index.name === draft.name && sameIndex(index, draft));
  }

  /** Changes expireAfterSeconds or hidden of an index, for collMod. Throws IndexNotFound. */
  modifyIndex(collection: Collection, change: Doc): Doc {
    const name = change.get('name');
    const key = change.get('keyPattern');
    const at = collection.indexes.findIndex((index) =>
      name === undefined ? equal(index.document.get('key'), key) : index.name === name,
    );
    const index = collection.indexes[at];
    if (!index)
      fail('IndexNotFound', `cannot find index ${typeof name === 'string' ? name : show(key)} for ns ${collection.ns}`);
    const document: Doc = new Map(index.document);
    const reply: Doc = new Map();
    for (const option of ['expireAfterSeconds', 'hidden'] as const) {
      if (!change.has(option)) continue;
      const old = document.get(option);
      if (old !== undefined) reply.set(`${option}_old`, old);
      reply.set(`${option}_new`, change.get(option));
      document.set(option, change.get(option));
    }
    const { multikey, shortened } = index;
    collection.indexes[at] = { ...parseIndex(document, index.number), multikey, shortened };
    this.touched.specs.add(collection);
    return reply;
  }

  /** Adds an index and fills it; returns false when it is there already. Throws 85 or 86 on a conflict, 11000 on duplicates. */
  createIndex(collection: Collection, given: Doc): boolean {
    const document = inherited(collection, given);
    const draft = parseIndex(document, 0);
    for (const index of collection.indexes) {
      const equivalent = sameIdentity(index, draft);
      if (index.name === draft.name) {
        if (equivalent && (sameIndex(index, draft) || draft.name === '_id_')) return false;
        throw equivalent
          ? conflict(
              'IndexOptionsConflict',
              'An equivalent index already exists with the same name but different options.',
              draft,
              index,
            )
          : conflict(
              'IndexKeySpecsConflict',
              'An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation.',
              draft,
              index,
            );
      }
      if (equivalent) {
        throw sameIndex(index, draft)
          ? new CommandError('IndexOptionsConflict', `Index already exists with a different name: ${index.name}`)
          : conflict(
              'IndexOptionsConflict',
              'An equivalent index already exists with a different name and options.',
              draft,
              index,
            );
      }
    }
    if (collection.indexes.length >= 64)
      fail('CannotCreateIndex', `add index fails, too many indexes for ${collection.ns} key:${draft.name}`);
    const index = parseIndex(document, this.number());
    try {
      this.records.build(collection, index);
    } catch (error) {
      this.discard(index.number);
      throw error;
    }
    collection.indexes.push(index);
    this.touched.specs.add(collection);
    return true;
  }

  dropIndex(collection: Collection, index: IndexSpec): void {
    collection.indexes = collection.indexes.filter((item) => item !== index);
    this.discard(index.number);
    this.touched.specs.add(collection);
  }
}

/** An index without a collation takes that of its collection. */
function inherited(collection: Collection, document: Doc): Doc {
  const collation = collection.options.get('collation');
  return collation === undefined || document.has('collation')
    ? document
    : new Map([...document, ['collation', collation]]);
}

const conflict = (
  code: 'IndexOptionsConflict' | 'IndexKeySpecsConflict',
  message: string,
  wanted: IndexSpec,
  there: IndexSpec,
) =>
  new CommandError(
    code,
    `${message} Requested index: ${show(wanted.document)}, existing index: ${show(there.document)}`,
  );

function specDocument(collection: Collection): Doc {
  return new Map<string, Value>([
    ['ns', collection.ns],
    ['options', collection.options],
    ['uuid', collection.uuid],
    [
      'indexes',
      collection.indexes.map(
        (index): Doc =>
          new Map<string, Value>([
            ['number', new Double(index.number)],
            ['document', index.document],
            ['multikey', index.multikey],
            ['shortened', index.shortened],
          ]),
      ),
    ],
  ]);
}

function readIndex(stored: Doc): IndexSpec {
  const spec = parseIndex(stored.get('document') as Doc, toNumber(stored.get('number')));
  spec.multikey = truthy(stored.get('multikey'));
  spec.shortened = truthy(stored.get('shortened'));
  return spec;
}

import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, doc } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Engine } from '../storage/engine.ts';
import { type Collection, Records, type Touched } from './collection.ts';
import { checkNamespace, partsOf } from './namespace.ts';
import { type IndexSpec, parseIndex, sameIdentity, sameIndex } from './spec.ts';
import * as stored from './stored.ts';

const MAX_INDEXES = 64;

/**
 * Knows the collections and their indexes. It is kept in memory and written in the same transaction as the data it
 * describes; when a transaction is rolled back, `reload` takes the state from the file again.
 */
export class Catalogue {
  readonly records: Records;
  private readonly engine: Engine;
  private readonly touched: Touched = { counts: new Set(), specs: new Set() };
  private collections = new Map<string, Collection>();

  constructor(engine: Engine) {
    this.engine = engine;
    this.records = new Records(engine, this.touched);
    this.reload();
  }

  /** Reads the whole catalogue from the file. */
  reload(): void {
    this.touched.counts.clear();
    this.touched.specs.clear();
    this.collections = new Map(stored.readCollections(this.engine).map((item) => [item.ns, item]));
  }

  /** Writes what the transaction changed; runs as its last step. */
  persist(): void {
    const there = (item: Collection) => this.collections.get(item.ns) === item;
    for (const item of this.touched.specs) if (there(item)) stored.writeCollection(this.engine, item);
    for (const item of this.touched.counts) if (there(item)) stored.writeCount(this.engine, item);
    this.touched.counts.clear();
    this.touched.specs.clear();
  }

  find(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  list(db: string): Collection[] {
    return [...this.collections.values()].filter((item) => item.db === db).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  all(): Collection[] {
    return [...this.collections.values()];
  }

  databases(): string[] {
    return [...new Set(this.all().map((item) => item.db))].sort();
  }

  private add(collection: Collection): Collection {
    this.collections.set(collection.ns, collection);
    this.touched.specs.add(collection);
    this.touched.counts.add(collection);
    return collection;
  }

  /** The collection, made when it is not there. */
  ensure(ns: string, options: Doc = new Map()): Collection {
    const found = this.collections.get(ns);
    if (found) return found;
    checkNamespace(ns);
    const number = stored.nextNumber(this.engine);
    const id = parseIndex(doc({ key: { _id: 1 }, name: '_id_' }), stored.nextNumber(this.engine));
    return this.add({
      ...partsOf(ns),
      number,
      options,
      uuid: stored.newUuid(),
      indexes: [id],
      count: 0,
      nextRecord: 1,
    });
  }

  /** Forgets a collection at once; its data is swept later. */
  drop(collection: Collection): void {
    this.collections.delete(collection.ns);
    stored.removeCollection(this.engine, collection);
  }

  /** Gives a collection another name. */
  rename(collection: Collection, ns: string): void {
    checkNamespace(ns);
    this.collections.delete(collection.ns);
    this.add({ ...collection, ...partsOf(ns) });
  }

  /** Whether createIndex would find this index there already. */
  hasIndex(collection: Collection, document: Doc): boolean {
    const draft = parseIndex(inherited(collection, document), 0);
    return collection.indexes.some((index) => index.name === draft.name && sameIndex(index, draft));
  }

  /** Changes expireAfterSeconds or hidden of an index, for collMod; gives the old and new values. Throws IndexNotFound. */
  modifyIndex(collection: Collection, change: Doc): Record<string, unknown> {
    const [name, key] = [change.get('name'), change.get('keyPattern')];
    const at = collection.indexes.findIndex((index) =>
      name === undefined ? equal(index.document.get('key'), key) : index.name === name,
    );
    const index = collection.indexes[at];
    if (!index) fail('IndexNotFound', `cannot find index ${show(name ?? key)} for ns ${collection.ns}`);
    const { document, number, multikey, shortened } = index;
    const changed = [...change].filter(([option]) => option === 'expireAfterSeconds' || option === 'hidden');
    collection.indexes[at] = { ...parseIndex(new Map([...document, ...changed]), number), multikey, shortened };
    this.touched.specs.add(collection);
    const news = changed.flatMap(([option, value]) => [
      [`${option}_old`, document.get(option)],
      [`${option}_new`, value],
    ]);
    return Object.fromEntries(news);
  }

  /** Adds an index and fills it, unless it is there. Throws 85 or 86 on a conflict, 11000 on duplicates. */
  createIndex(collection: Collection, given: Doc): void {
    const document = inherited(collection, given);
    if (isThere(collection, parseIndex(document, 0))) return;
    if (collection.indexes.length >= MAX_INDEXES)
      fail('CannotCreateIndex', `add index fails, too many indexes for ${collection.ns}`);
    const index = parseIndex(document, stored.nextNumber(this.engine));
    try {
      this.records.build(collection, index);
    } catch (error) {
      stored.discard(this.engine, index.number);
      throw error;
    }
    collection.indexes = [...collection.indexes, index];
    this.touched.specs.add(collection);
  }

  dropIndex(collection: Collection, index: IndexSpec): void {
    collection.indexes = collection.indexes.filter((item) => item !== index);
    stored.discard(this.engine, index.number);
    this.touched.specs.add(collection);
  }
}

/** An index without a collation takes that of its collection. */
function inherited({ options }: Collection, document: Doc): Doc {
  const collation = options.get('collation');
  return collation === undefined ? document : new Map([['collation', collation], ...document]);
}

/** Whether the index is there already; one that conflicts with it is refused. */
function isThere(collection: Collection, draft: IndexSpec): boolean {
  for (const index of collection.indexes) {
    const equivalent = sameIdentity(index, draft);
    const named = index.name === draft.name;
    if (!equivalent && !named) continue;
    const what = `Requested index: ${show(draft.document)}, existing index: ${show(index.document)}`;
    if (!equivalent)
      fail('IndexKeySpecsConflict', `An existing index has the same name as the requested index. ${what}`);
    if (named && (draft.name === '_id_' || sameIndex(index, draft))) return true;
    const differs = sameIndex(index, draft) ? `a different name: ${index.name}` : `different options. ${what}`;
    fail('IndexOptionsConflict', `Index already exists with ${differs}`);
  }
  return false;
}

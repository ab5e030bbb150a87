import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Engine } from '../storage/engine.ts';
import type { Turn } from '../turn.ts';
import * as stored from './collection.ts';
import { type Collection, newCollection, newIndex } from './collection.ts';
import { type Records, recordsOf } from './records.ts';
import { checkPartial, type IndexSpec, isAmong, parseIndex } from './spec.ts';

const MAX_INDEXES = 64;

/** The database that a namespace begins with. */
const databaseOf = (ns: string): string => ns.slice(0, Math.max(0, ns.indexOf('.')));

/** A database of up to 63 characters that may be in a file name, a dot, and a name that neither begins nor ends with one. */
const NAMESPACE = /^[^/\\. "$*<>:|?\0]{1,63}\.[^.$\0]([^$\0]*[^.$\0])?$/;

/** Refuses names MongoDB does not allow (code 73). */
export function checkNamespace(ns: string): void {
  if (!NAMESPACE.test(ns) || Buffer.byteLength(ns) > 255)
    fail('InvalidNamespace', `Invalid namespace specified '${ns}'`);
}

/**
 * The collections and their indexes: in memory, and written in the same transaction as the data they describe. After a
 * rollback, `reload` reads the file again.
 */
export class Catalogue {
  readonly records: Records;
  private readonly engine: Engine;
  private readonly onDrop: () => void;
  private collections = new Map<string, Collection>();

  /** `onDrop` is called when dropped data is left to be removed later. */
  constructor(engine: Engine, onDrop: () => void = () => undefined) {
    this.engine = engine;
    this.onDrop = onDrop;
    this.records = recordsOf(engine);
    engine.nameOf = (number) =>
      this.list().find((item) => item.number === number || item.indexes.some((index) => index.number === number))?.ns;
    this.reload();
  }

  /** Reads the whole catalogue from the file. */
  reload(): void {
    this.records.counted.clear();
    this.collections = new Map(stored.readCollections(this.engine).map((item) => [item.ns, item]));
  }

  /** Writes the counts that the transaction changed; runs as its last step. */
  persist(): void {
    for (const collection of this.records.counted) stored.writeCount(this.engine, collection);
    this.records.counted.clear();
  }

  /** @throws DataDamaged where documents of the collection may be missing */
  find(ns: string): Collection | undefined {
    const found = this.collections.get(ns);
    return found?.isDamaged ? this.engine.damaged(ns) : found;
  }

  /** The collections, or those of one database, by name. */
  list(db?: string): Collection[] {
    const wanted = [...this.collections.values()].filter(({ ns }) => db === undefined || databaseOf(ns) === db);
    return wanted.sort((a, b) => (a.ns < b.ns ? -1 : 1));
  }

  databases(): string[] {
    return [...new Set(this.list().map(({ ns }) => databaseOf(ns)))];
  }

  /** The collection, made when it is not there. */
  ensure(ns: string): Collection {
    const found = this.find(ns);
    if (found) return found;
    checkNamespace(ns);
    const made = newCollection(this.engine, ns);
    this.collections.set(ns, made);
    stored.writeCollection(this.engine, made);
    return made;
  }

  /** Forgets a collection at once; its data is swept later. */
  drop(collection: Collection): void {
    this.collections.delete(collection.ns);
    this.records.counted.delete(collection);
    stored.removeCollection(this.engine, collection);
    this.onDrop();
  }

  /** Whether this index exists already. Throws 85 or 86 on a conflict. */
  hasIndex(collection: Collection, document: Doc): boolean {
    return isAmong(collection.indexes, parseIndex(document).document);
  }

  /** The index of this name or key; throws IndexNotFound. */
  findIndex({ ns, indexes }: Collection, which: Value): IndexSpec {
    const found = indexes.find(({ name, document }) => name === which || equal(document.get('key'), which));
    return found ?? fail('IndexNotFound', `index not found with ${show(which)} in ${ns}`);
  }

  /** A new index, not in any list yet. Throws 85 or 86 on a conflict; undefined where it is there already. */
  private newIndex(collection: Collection, document: Doc): IndexSpec | undefined {
    if (this.hasIndex(collection, document)) return undefined;
    const filter = document.get('partialFilterExpression');
    if (isDoc(filter)) checkPartial(filter);
    if (collection.indexes.length + collection.building.length >= MAX_INDEXES)
      fail('CannotCreateIndex', `add index fails, too many indexes for ${collection.ns}`);
    return newIndex(this.engine, document);
  }

  /** Adds an index and fills it at once, unless it is there. Throws 85 or 86 on a conflict, 11000 on duplicates. */
  createIndex(collection: Collection, document: Doc): void {
    const index = this.newIndex(collection, document);
    if (!index) return;
    this.records.build(collection, index);
    collection.indexes = [...collection.indexes, index];
    stored.writeCollection(this.engine, collection);
  }

  /** Begins an index that is filled in several transactions; gives its number. Throws as `createIndex`. */
  beginIndex(collection: Collection, document: Doc): number[] {
    const index = this.newIndex(collection, document);
    if (!index) return [];
    collection.building = [...collection.building, index];
    stored.writeCollection(this.engine, collection);
    return [index.number];
  }

  /** Goes on with filling an index from a key on; gives the key to go on from, undefined once it is complete. */
  continueIndex(ns: string, number: number, from: Buffer | undefined, turn: Turn): Buffer | undefined {
    const collection = this.collections.get(ns);
    const index = collection?.building.find((item) => item.number === number);
    if (!collection || !index) fail('IndexBuildAborted', `the collection of an index was dropped: ${ns}`);
    return this.records.build(collection, index, from, turn);
  }

  /** Ends the building of indexes: they are there from now on, unless others like them are, or removed. */
  endIndexes(collection: Collection, numbers: number[], areComplete: boolean): void {
    const ended = collection.building.filter(({ number }) => numbers.includes(number));
    collection.building = collection.building.filter((index) => !ended.includes(index));
    for (const index of ended) {
      if (areComplete && !this.hasIndex(collection, index.document))
        collection.indexes = [...collection.indexes, index];
      else stored.discard(this.engine, index.number);
    }
    stored.writeCollection(this.engine, collection);
    this.onDrop();
  }

  /** Removes what a process that ended left of indexes that it was building. */
  removeUnfinished(): void {
    const unfinished = this.list().filter(({ building }) => building.length > 0);
    if (unfinished.length === 0) return;
    const numbers = unfinished.flatMap(({ building }) => building.map(({ number }) => number));
    this.engine.write(() => {
      for (const collection of unfinished) this.endIndexes(collection, numbers, false);
    });
  }

  dropIndex(collection: Collection, index: IndexSpec): void {
    collection.indexes = collection.indexes.filter((item) => item !== index);
    stored.writeCollection(this.engine, collection);
    stored.discard(this.engine, index.number);
    this.onDrop();
  }
}

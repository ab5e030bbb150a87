import { UUID } from 'bson';
import { readDoc } from '../bson/read.ts';
import { type Doc, doc, toNumber, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import type { Engine, Range } from '../storage/engine.ts';
import type { Damage } from '../storage/inspect.ts';
import { type IndexSpec, parseIndex } from './spec.ts';

/** A collection's place in the catalogue; count and record number follow every write. */
export type Collection = {
  ns: string;
  readonly number: number;
  readonly options: Doc;
  readonly uuid: Value;
  indexes: IndexSpec[];
  /** Indexes that are being filled: writes keep them, nothing reads them, and a start removes them. */
  building: IndexSpec[];
  count: number;
  nextRecord: number;
  /** More than single documents is damaged on the disk: nothing that is asked of it can be answered for certain. */
  isDamaged: boolean;
};

/** Bytes of a record number in keys. */
export const RECORD = 6;

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

/** All keys of a collection or index in its table. */
export const owned = (number: number): Range => ({ start: prefix(number), end: prefix(number + 1) });

/** The record number at the end of a key. */
export const recordOf = (key: Buffer): number => key.readUIntBE(key.length - RECORD, RECORD);

// The table `meta` holds a document per collection, its count beside it, the numbers of what was dropped, and the
// number that the next collection or index gets.
const SPEC = 0x63;
const COUNT = 0x6e;
const GARBAGE = 0x67;
const NEXT = Buffer.from('next');

const metaKey = (kind: number, number: number): Buffer => Buffer.concat([Buffer.of(kind), prefix(number)]);

const all = (kind: number): Range => ({ start: metaKey(kind, 0), end: metaKey(kind + 1, 0) });

function encoded(value: number): Buffer {
  const out = Buffer.allocUnsafe(8);
  out.writeDoubleBE(value, 0);
  return out;
}

const decoded = (bytes: Buffer | undefined, otherwise: number): number => bytes?.readDoubleBE(0) ?? otherwise;

/** A number that no collection or index has had. */
function nextNumber({ meta }: Engine): number {
  const number = decoded(meta.get(NEXT), 1);
  meta.put(NEXT, encoded(number + 1));
  return number;
}

function readIndex(stored: Doc): IndexSpec {
  const spec = parseIndex(stored.get('document') as Doc);
  const [multikey = false, shortened = false] = ['multikey', 'shortened'].map((name) => truthy(stored.get(name)));
  return { ...spec, number: toNumber(stored.get('number')), multikey, shortened };
}

/** A new index, without entries. */
export const newIndex = (engine: Engine, document: Doc): IndexSpec =>
  readIndex(
    new Map<string, Value>([
      ['document', document],
      ['number', nextNumber(engine)],
    ]),
  );

/** A new collection with its index of `_id`, as yet in memory only. */
export function newCollection(engine: Engine, ns: string): Collection {
  const number = nextNumber(engine);
  const id = newIndex(engine, doc({ key: { _id: 1 } }));
  return {
    ns,
    number,
    options: new Map(),
    uuid: new UUID(),
    indexes: [id],
    building: [],
    count: 0,
    nextRecord: 1,
    isDamaged: false,
  };
}

/** Whether the keys of a collection or an index in a table are among those that are damaged. */
const touches = ({ low, high }: Damage, number: number): boolean => {
  const { start, end } = owned(number);
  return (!low || low.compare(end) < 0) && (!high || high.compare(start) >= 0);
};

/** Whether keys of a collection, or entries of its indexes, cannot be relied on. */
const isHit = ({ damages }: Engine, number: number, indexes: IndexSpec[]): boolean =>
  damages.some((damage) =>
    damage.table === 'entries'
      ? indexes.some((index) => touches(damage, index.number))
      : damage.isStructural && damage.table === 'docs' && touches(damage, number),
  );

/** Every collection in the file. */
export function readCollections(engine: Engine): Collection[] {
  const { meta, docs } = engine;
  return meta.keys(all(SPEC)).map((key) => {
    const stored = readDoc(meta.get(key)!);
    const number = key.readUInt32BE(1);
    const indexes = (stored.get('indexes') as Doc[]).map(readIndex);
    const count = decoded(meta.get(metaKey(COUNT, number)), 0);
    const isUnreadable = isHit(engine, number, indexes);
    const [last] = isUnreadable ? [] : docs.keys({ ...owned(number), limit: 1, reverse: true });
    // A document whose key is damaged is no longer among those of its collection.
    const isComplete = () => engine.damages.length === 0 || docs.keys(owned(number)).length === count;
    return {
      ns: stored.get('ns') as string,
      number,
      options: stored.get('options') as Doc,
      uuid: stored.get('uuid'),
      indexes,
      building: ((stored.get('building') ?? []) as Doc[]).map(readIndex),
      count,
      nextRecord: last ? recordOf(last) + 1 : 1,
      isDamaged: isUnreadable || !isComplete(),
    };
  });
}

/** Writes all of a collection but its count, which changes more often. */
export function writeCollection({ meta }: Engine, { ns, number, options, uuid, ...lists }: Collection): void {
  const [indexes, building] = [lists.indexes, lists.building].map((list) =>
    list.map(({ number, document, multikey, shortened }) => ({ number, document, multikey, shortened })),
  );
  meta.put(metaKey(SPEC, number), writeDoc(doc({ ns, options, uuid, indexes, building })));
}

export const writeCount = ({ meta }: Engine, { number, count }: Collection): void =>
  meta.put(metaKey(COUNT, number), encoded(count));

/** Deletes the catalogue entry of a collection; its data stays until the sweep. */
export function removeCollection(engine: Engine, { number, indexes, building }: Collection): void {
  engine.meta.remove(metaKey(SPEC, number));
  engine.meta.remove(metaKey(COUNT, number));
  for (const dropped of [number, ...[...indexes, ...building].map((index) => index.number)]) discard(engine, dropped);
}

/** Marks the data of a collection or index for the sweep. */
export const discard = ({ meta }: Engine, number: number): void => meta.put(metaKey(GARBAGE, number), Buffer.from([1]));

export const hasGarbage = ({ meta }: Engine): boolean => meta.keys({ ...all(GARBAGE), limit: 1 }).length > 0;

/** Removes up to `limit` keys of what was dropped; false when nothing is left. */
export function sweep({ meta, docs, entries }: Engine, limit: number): boolean {
  const [key] = meta.keys({ ...all(GARBAGE), limit: 1 });
  if (!key) return false;
  let left = limit;
  for (const table of [docs, entries]) {
    const found = left > 0 ? table.keys({ ...owned(key.readUInt32BE(1)), limit: left }) : [];
    for (const item of found) table.remove(item);
    left -= found.length;
  }
  if (left > 0) meta.remove(key);
  return true;
}

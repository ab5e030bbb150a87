import { field } from '../bson/read.ts';
import type { Doc, Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Path } from '../filter/path.ts';
import { EMPTY_ARRAY_KEY, encodeKey, invert, shorten } from './encode.ts';

/** One field of an index or of a sort: its path and 1 or -1. */
export type KeyField = { name: string; path: Path; direction: 1 | -1 };

/** Folds a value before it is indexed, for indexes with a collation. */
export type Fold = ((value: Value) => Value) | undefined;

/** Reads top-level fields of a document, decoding each once. */
export type FieldReader = (path: Path) => Value;

export function rawReader(bytes: Buffer): FieldReader {
  const seen = new Map<string, Value>();
  return (path) => {
    const step = path[0]!;
    if (!seen.has(step.name)) seen.set(step.name, field(bytes, step.bytes));
    return seen.get(step.name);
  };
}

export const docReader =
  (doc: Doc): FieldReader =>
  (path) =>
    doc.get(path[0]!.name);

/** Stands for the entry of an empty array, which sorts below null. */
const EMPTY: Value[] = [];

type State = { value: Value; step: number };

/** Walks a field's path until it ends or meets an array. */
function advance(state: State, path: Path): State {
  let { value, step } = state;
  while (step < path.length) {
    if (value instanceof Map) value = value.get(path[step++]!.name);
    else if (Array.isArray(value)) {
      const index = path[step]!.index;
      if (index < 0 || index >= value.length) break;
      value = value[index];
      step++;
    } else return { value: undefined, step: path.length };
  }
  return { value, step };
}

function combinations(fields: KeyField[], states: State[], out: Value[][]): boolean {
  const reached = states.map((state, i) => advance(state, fields[i]!.path));
  const arrays = reached.filter((state) => Array.isArray(state.value) && state.value !== EMPTY);
  if (arrays.length === 0) {
    out.push(reached.map((state) => state.value));
    return false;
  }
  const array = arrays[0]!.value as Value[];
  if (arrays.some((state) => state.value !== array)) fail(171, 'cannot index parallel arrays');
  const items = array.length > 0 ? array : [undefined];
  for (const item of items) {
    const next = reached.map((state, i): State => {
      if (state.value !== array) return state;
      const ends = state.step >= fields[i]!.path.length;
      if (array.length === 0 && ends) return { value: EMPTY, step: state.step };
      if (ends && Array.isArray(item)) return { value: new Nested(item) as never, step: state.step };
      if (!ends && Array.isArray(item)) return { value: undefined, step: fields[i]!.path.length };
      return { value: item, step: state.step };
    });
    combinations(fields, next, out);
  }
  return true;
}

/** An array inside an array is indexed as a whole, not element by element. */
class Nested {
  readonly items: Value[];
  constructor(items: Value[]) {
    this.items = items;
  }
}

function part(value: Value, direction: 1 | -1, fold: Fold): Buffer {
  const plain = value instanceof Nested ? value.items : value;
  const key = value === EMPTY ? EMPTY_ARRAY_KEY : encodeKey(fold ? fold(plain) : plain);
  return direction === 1 ? key : invert(key);
}

/** What a document contributes to an index. */
export type DocKeys = {
  /** The distinct keys, without record number. */
  keys: Buffer[];
  multikey: boolean;
  /** The document holds none of the fields (what a sparse index leaves out). */
  absent: boolean;
  /** Some key was too long to be kept whole. */
  shortened: boolean;
  /** The values of the first key, for messages. */
  values: Value[];
};

/** The keys of one document for these fields; throws code 171 when two fields hold different arrays. */
export function documentKeys(read: FieldReader, fields: KeyField[], fold?: Fold): DocKeys {
  const first = fields.map((field): State => ({ value: read(field.path), step: 1 }));
  const rows: Value[][] = [];
  const multikey = combinations(fields, first, rows);
  const keys: Buffer[] = [];
  const seen = rows.length > 1 ? new Set<string>() : undefined;
  let shortened = false;
  let absent = true;
  for (const row of rows) {
    if (absent && row.some((value) => value !== undefined)) absent = false;
    const whole =
      row.length === 1
        ? part(row[0], fields[0]!.direction, fold)
        : Buffer.concat(row.map((value, i) => part(value, fields[i]!.direction, fold)));
    const key = shorten(whole);
    if (key !== whole) shortened = true;
    const mark = seen && key.latin1Slice(0, key.length);
    if (seen?.has(mark!)) continue;
    seen?.add(mark!);
    keys.push(key);
  }
  return { keys, multikey, absent, shortened, values: rows[0] ?? [] };
}

/** The key a document sorts by: of an array its least element, or its greatest where the direction is down. */
export function sortKey(read: FieldReader, fields: KeyField[]): Buffer {
  const parts = fields.map((field) => {
    const rows: Value[][] = [];
    const single = [field];
    combinations(single, [{ value: read(field.path), step: 1 }], rows);
    let best: Buffer | undefined;
    for (const row of rows) {
      const candidate = part(row[0], field.direction, undefined);
      if (!best || candidate.compare(best) < 0) best = candidate;
    }
    return best ?? part(undefined, field.direction, undefined);
  });
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** The values a document sorts by, for sorts under a collation. */
export function sortValues(read: FieldReader, fields: KeyField[], compare: (a: Value, b: Value) => number): Value[] {
  return fields.map((field) => {
    const rows: Value[][] = [];
    combinations([field], [{ value: read(field.path), step: 1 }], rows);
    return rows
      .map((row) => (row[0] instanceof Nested ? row[0].items : row[0]))
      .reduce((best, item) => (compare(item, best) * field.direction < 0 ? item : best));
  });
}

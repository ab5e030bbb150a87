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

/** An array inside an array is indexed as a whole, not element by element. */
class Nested {
  readonly items: Value[];
  constructor(items: Value[]) {
    this.items = items;
  }
}

type State = { value: Value | Nested; step: number };

/** Walks a field's path until it ends or meets an array. */
function advance(state: State, path: Path): State {
  let { value, step } = state;
  while (step < path.length) {
    const { name, index } = path[step]!;
    if (value instanceof Map) value = value.get(name);
    else if (!Array.isArray(value)) return { value: undefined, step: path.length };
    else if (index >= 0 && index < value.length) value = value[index];
    else break;
    step++;
  }
  return { value, step };
}

/** What becomes of a field that has met an array when one of its items is taken for it. */
function entered(state: State, path: Path, array: Value[], item: Value): State {
  if (state.value !== array) return state;
  const ends = state.step >= path.length;
  if (ends && array.length === 0) return { value: EMPTY, step: state.step };
  if (!Array.isArray(item)) return { value: item, step: state.step };
  return ends ? { value: new Nested(item), step: state.step } : { value: undefined, step: path.length };
}

type Row = (Value | Nested)[];

/** Every combination of values that the fields have: one, or one for each item of the array that they meet. */
function combinations(fields: KeyField[], states: State[]): Row[] {
  const reached = states.map((state, i) => advance(state, fields[i]!.path));
  const arrays = reached
    .map(({ value }) => value)
    .filter((value) => Array.isArray(value) && value !== EMPTY) as Value[][];
  const [array] = arrays;
  if (!array) return [reached.map((state) => state.value)];
  if (arrays.some((other) => other !== array)) fail(171, 'cannot index parallel arrays');
  const items = array.length > 0 ? array : [undefined];
  return items.flatMap((item) =>
    combinations(
      fields,
      reached.map((state, i) => entered(state, fields[i]!.path, array, item)),
    ),
  );
}

const rowsOf = (read: FieldReader, fields: KeyField[]): Row[] =>
  combinations(
    fields,
    fields.map((field) => ({ value: read(field.path), step: 1 })),
  );

const plain = (value: Value | Nested): Value => (value instanceof Nested ? value.items : value);

function part(value: Value | Nested, direction: 1 | -1, fold?: Fold): Buffer {
  const key = value === EMPTY ? EMPTY_ARRAY_KEY : encodeKey(fold ? fold(plain(value)) : plain(value));
  return direction === 1 ? key : invert(key);
}

const joined = (parts: Buffer[]): Buffer => (parts.length === 1 ? parts[0]! : Buffer.concat(parts));

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
  const rows = rowsOf(read, fields);
  const wholes = rows.map((row) => joined(row.map((value, i) => part(value, fields[i]!.direction, fold))));
  const distinct = rows.length === 1 ? wholes : [...new Map(wholes.map((key) => [key.latin1Slice(), key])).values()];
  const keys = distinct.map(shorten);
  return {
    keys,
    multikey: fields.some(({ path }) => Array.isArray(advance({ value: read(path), step: 1 }, path).value)),
    absent: rows.every((row) => row.every((value) => value === undefined)),
    shortened: keys.some((key, i) => key !== distinct[i]),
    values: (rows[0] ?? []).map(plain),
  };
}

/** The key a document sorts by: of an array its least element, or its greatest where the direction is down. */
export function sortKey(read: FieldReader, fields: KeyField[]): Buffer {
  return joined(
    fields.map((field) =>
      rowsOf(read, [field])
        .map(([value]) => part(value, field.direction))
        .reduce((best, key) => (key.compare(best) < 0 ? key : best)),
    ),
  );
}

/** The values a document sorts by, for sorts under a collation. */
export function sortValues(read: FieldReader, fields: KeyField[], compare: (a: Value, b: Value) => number): Value[] {
  return fields.map((field) =>
    rowsOf(read, [field])
      .map(([value]) => plain(value))
      .reduce((best, item) => (compare(item, best) * field.direction < 0 ? item : best)),
  );
}

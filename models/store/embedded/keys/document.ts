import type { Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Path, Source } from '../filter/path.ts';
import { EMPTY_ARRAY_KEY, encodeKey, invert, shorten } from './encode.ts';

/** One field of an index or of a sort: its path and 1 or -1. */
export type KeyField = { name: string; path: Path; direction: 1 | -1 };

/** Stands for the entry of an empty array, which sorts below null. */
const EMPTY: Value[] = [];

/** What lies at the first `step` steps of a path: an array there is taken item by item, but not where it is WHOLE. */
type Reached = { value: Value; step: number };

const WHOLE = Number.POSITIVE_INFINITY;

const isOpen = ({ value, step }: Reached): boolean => Array.isArray(value) && step !== WHOLE;

/** Follows a path until it ends or meets an array. */
function follow(from: Value, path: Path, first: number): Reached {
  let value = from;
  for (let step = first; step < path.length; step++) {
    const { name, index } = path[step]!;
    if (value instanceof Map) value = value.get(name);
    else if (!Array.isArray(value)) return { value: undefined, step: WHOLE };
    else if (index >= 0 && index < value.length) value = value[index];
    else return { value, step };
  }
  return { value, step: path.length };
}

/** Continues with one item of an array on the path. An array in an array is indexed as a whole. */
function enter(path: Path, step: number, item: Value): Reached {
  if (step === path.length) return { value: item, step: WHOLE };
  return Array.isArray(item) ? { value: undefined, step: WHOLE } : follow(item, path, step);
}

/** Every combination of values that the fields have: one, or one for each item of the array that they meet. */
function combinations(fields: KeyField[], reached: Reached[]): Value[][] {
  const array = reached.find(isOpen)?.value as Value[] | undefined;
  if (!array) return [reached.map(({ value }) => value)];
  if (reached.some((at) => isOpen(at) && at.value !== array)) fail(171, 'cannot index parallel arrays');
  const entered = (item: Value): Reached[] =>
    reached.map((at, i) => (isOpen(at) ? enter(fields[i]!.path, at.step, item) : at));
  return array.length > 0
    ? array.flatMap((item) => combinations(fields, entered(item)))
    : combinations(fields, entered(EMPTY));
}

/** The values that a document has for one field: several where it meets an array. */
export const valuesOf = (source: Source, field: KeyField): Value[] =>
  combinations([field], [follow(source.field(field.path[0]!), field.path, 1)]).map(([value]) => value);

/** The bytes that a value of a field sorts by. */
export const bytesOf = (value: Value): Buffer => (value === EMPTY ? EMPTY_ARRAY_KEY : encodeKey(value));

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
export function documentKeys(source: Source, fields: KeyField[]): DocKeys {
  // Read once for all fields, so that those that lead into one array meet the same.
  const read = new Map<string, Value>();
  const reached = fields.map(({ path }) => {
    const step = path[0]!;
    if (!read.has(step.name)) read.set(step.name, source.field(step));
    return follow(read.get(step.name), path, 1);
  });
  const rows = combinations(fields, reached);
  const part = (value: Value, i: number): Buffer => {
    const bytes = bytesOf(value);
    return fields[i]!.direction === 1 ? bytes : invert(bytes);
  };
  const wholes = rows.map((row) => (row.length === 1 ? part(row[0], 0) : Buffer.concat(row.map(part))));
  const distinct = rows.length === 1 ? wholes : [...new Map(wholes.map((key) => [key.latin1Slice(), key])).values()];
  const keys = distinct.map(shorten);
  return {
    keys,
    multikey: reached.some(isOpen),
    absent: rows.every((row) => row.every((value) => value === undefined)),
    shortened: keys.some((key, i) => key !== distinct[i]),
    values: rows[0] ?? [],
  };
}

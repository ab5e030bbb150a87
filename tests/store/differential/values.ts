// A plain model of MongoDB's values, by its documentation ("Comparison/Sort Order"). It shares no code with the store.
import { Double, EJSON, Int32, Long, ObjectId } from 'bson';

export type Value = unknown;
export type Doc = Record<string, Value>;

export const isNumber = (value: Value): value is Int32 | Double | Long =>
  ['Int32', 'Double', 'Long'].includes(String((value as { _bsontype?: string } | null | undefined)?._bsontype));

export const isDoc = (value: Value): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export const numberOf = (value: Value): number => Number(String(value));

/** The names of the types that $type knows of a value. */
export function typesOf(value: Value): string[] {
  if (value instanceof Int32) return ['int', 'number'];
  if (value instanceof Long) return ['long', 'number'];
  if (value instanceof Double) return ['double', 'number'];
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (value instanceof Date) return ['date'];
  if (value instanceof ObjectId) return ['objectId'];
  if (typeof value === 'boolean') return ['bool'];
  return typeof value === 'string' ? ['string'] : isDoc(value) ? ['object'] : [];
}

/** What sorts an empty array below null. */
export const EMPTY = Symbol('an empty array, as sorts see it');

/** The place of a value's type in the order of all types; missing counts as null. */
export function rank(value: Value): number {
  if (value === EMPTY) return 0;
  const order = ['null', 'number', 'string', 'object', 'array', 'objectId', 'bool', 'date'];
  const types = value === undefined ? ['null'] : typesOf(value);
  return 1 + order.findIndex((type) => types.includes(type));
}

const sign = (a: number | string | boolean, b: number | string | boolean): number => (a < b ? -1 : a > b ? 1 : 0);

/** Negative, zero or positive, as `a` is before, at or behind `b` in the order of all values. */
export function compare(a: Value, b: Value): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (isNumber(a)) return sign(numberOf(a), numberOf(b));
  if (typeof a === 'string' || typeof a === 'boolean') return sign(a, b as string | boolean);
  if (a instanceof Date) return sign(a.getTime(), (b as Date).getTime());
  if (a instanceof ObjectId) return sign(a.toHexString(), (b as ObjectId).toHexString());
  if (Array.isArray(a)) return compareLists(a, b as Value[]);
  return isDoc(a) ? compareDocs(a, b as Doc) : 0;
}

function compareLists(a: Value[], b: Value[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const result = compare(a[i], b[i]);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

/** Field by field: the type first, then the name, then the value. */
function compareDocs(a: Doc, b: Doc): number {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [[name, value], [otherName, otherValue]] = [left[i]!, right[i]!];
    const result = rank(value) - rank(otherValue) || sign(name, otherName) || compare(value, otherValue);
    if (result !== 0) return result;
  }
  return left.length - right.length;
}

export const equal = (a: Value, b: Value): boolean => compare(a, b) === 0;

/** A copy, all the way down. */
export const copy = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(copy) as T;
  return isDoc(value)
    ? (Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item)])) as T)
    : value;
};

/** The text of a value with its types. */
export const shown = (value: Value): string => EJSON.stringify(value as object, { relaxed: false });

import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';

/** A decoded document. A Map, so that any field name is safe and keeps its place. */
export type Doc = Map<string, Value>;

/**
 * A decoded BSON value. The JavaScript type carries the BSON type: `number` is always Int32, `bigint` Int64,
 * `Double` a double; `undefined` means that the field is missing.
 */
export type Value =
  | number
  | bigint
  | Double
  | Decimal128
  | string
  | boolean
  | null
  | undefined
  | Date
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | Code
  | BSONSymbol
  | MinKey
  | MaxKey
  | Doc
  | Value[];

export type Numeric = number | bigint | Double | Decimal128;

export { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp };

export const isDoc = (value: unknown): value is Doc => value instanceof Map;

export const isNumber = (value: unknown): value is Numeric =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Decimal128;

/** A JavaScript number for limits, sizes and flags; NaN for what is no number. */
export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  return Number.NaN;
}

/** The truth of a value as commands and expressions see it: false, null, missing and zero are false. */
export function truthy(value: Value): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || toNumber(value) !== 0;
}

/** BSON's numeric codes and names of types, as $type knows them. */
export const TYPE_CODES: Record<string, number> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};

/** The name of a value's type as $type reports it; "missing" for undefined. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'undefined':
      return 'missing';
    case 'number':
      return 'int';
    case 'bigint':
      return 'long';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
  }
  if (value === null) return 'null';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return OBJECT_TYPES[value._bsontype] ?? 'object';
}

const OBJECT_TYPES: Record<string, string> = {
  Double: 'double',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  BSONRegExp: 'regex',
  Timestamp: 'timestamp',
  Code: 'javascript',
  BSONSymbol: 'symbol',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

/** Turns a plain object of a reply into a Doc, one level deep or more. */
export function doc(fields: Record<string, unknown>): Doc {
  const out: Doc = new Map();
  for (const key of Object.keys(fields)) if (fields[key] !== undefined) out.set(key, toValue(fields[key]));
  return out;
}

function toValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(toValue);
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : new Double(value);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return doc(value as Record<string, unknown>);
  }
  return value as Value;
}

/** Copies documents and arrays all the way down; other values are never changed in place. */
export function clone<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (isDoc(value)) {
    const out: Doc = new Map();
    for (const [key, item] of value as Doc) out.set(key, clone(item));
    return out as T;
  }
  return value;
}

import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  type MaxKey,
  type MinKey,
  ObjectId,
  Timestamp,
} from 'bson';

/** A decoded document. A Map, so that any field name is safe and keeps its place. */
export type Doc = Map<string, Value>;

export type Numeric = number | bigint | Double | Decimal128;
type Plain = string | boolean | null | undefined | Date;
type Special = ObjectId | Binary | BSONRegExp | Timestamp | Code | BSONSymbol | MinKey | MaxKey;

/**
 * A decoded BSON value. The JavaScript type carries the BSON type: `number` is always Int32, `bigint` Int64,
 * `Double` a double; `undefined` means that the field is missing.
 */
export type Value = Numeric | Plain | Special | Doc | Value[];

export { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, ObjectId, Timestamp };

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

/**
 * BSON's types by the names that $type has for them: their code, their place in BSON's order, and the JavaScript type or
 * class of their values where that alone tells them.
 */
export const TYPES = {
  minKey: [-1, 0x05, 'MinKey'],
  undefined: [6, 0x09],
  null: [10, 0x0a],
  double: [1, 0x14, 'Double'],
  int: [16, 0x14, 'number'],
  long: [18, 0x14, 'bigint'],
  decimal: [19, 0x14, 'Decimal128'],
  string: [2, 0x1e, 'string'],
  symbol: [14, 0x1e, 'BSONSymbol'],
  object: [3, 0x28],
  dbPointer: [12, 0x28],
  array: [4, 0x32],
  binData: [5, 0x3c, 'Binary'],
  objectId: [7, 0x46, 'ObjectId'],
  bool: [8, 0x50, 'boolean'],
  date: [9, 0x5a],
  timestamp: [17, 0x64, 'Timestamp'],
  regex: [11, 0x6e, 'BSONRegExp'],
  javascript: [13, 0x78, 'Code'],
  javascriptWithScope: [15, 0x78],
  maxKey: [127, 0xf0, 'MaxKey'],
} satisfies Record<string, [code: number, rank: number, type?: string]>;

type TypeName = keyof typeof TYPES | 'missing';

/** The place of each type in BSON's order; a missing value stands where null does. */
export const RANK = Object.fromEntries(
  Object.entries({ ...TYPES, missing: TYPES.null }).map(([name, [, rank]]) => [name, rank]),
) as Record<TypeName, number>;

const NAMES = Object.fromEntries(
  Object.entries({ ...TYPES, missing: [0, 0, 'undefined'] }).map(([name, [, , type]]) => [type, name]),
) as Record<string, TypeName>;

/** The name of a value's type as $type reports it; "missing" for undefined. */
export function typeName(value: Value): TypeName {
  const simple = NAMES[typeof value];
  if (simple) return simple;
  if (value === null) return 'null';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  return value instanceof Date ? 'date' : NAMES[(value as Special)._bsontype]!;
}

export const rank = (value: Value): number => RANK[typeName(value)];

/** Whether a name is an operator's: it begins with $, and is no part of a DBRef. */
export const isOperatorName = (name = ''): boolean => name.startsWith('$') && !/^\$(ref|id|db)$/.test(name);

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
  const plain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return plain ? doc(value as Record<string, unknown>) : (value as Value);
}

/** Copies documents and arrays all the way down; other values are never changed in place. */
export function clone<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  return isDoc(value) ? (new Map([...(value as Doc)].map(([name, item]) => [name, clone(item)])) as T) : value;
}

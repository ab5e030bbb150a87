import type { Binary, BSONRegExp, BSONSymbol, Code, ObjectId, Timestamp } from 'bson';
import { fraction } from './decimal.ts';
import { Decimal128, type Doc, Double, type Numeric, RANK, rank, type Value } from './value.ts';

const order = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Surrogates stand for code points above all others, which their UTF-16 order does not say. */
const raised = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Compares strings by their UTF-8 bytes. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = raised(a.charCodeAt(i)) - raised(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares numbers of any type by their exact value; NaN is below all. */
function compareNumbers(a: Numeric, b: Numeric): number {
  if (a instanceof Decimal128 || b instanceof Decimal128) return compareFractions(a, b);
  const x = a instanceof Double ? a.value : a;
  const y = b instanceof Double ? b.value : b;
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
}

function compareFractions(a: Numeric, b: Numeric): number {
  const x = fraction(a);
  const y = fraction(b);
  if (typeof x !== 'number' && typeof y !== 'number') return order(x.n * y.d, y.n * x.d);
  const asNumber = (side: typeof x) => (typeof side === 'number' ? side : 0);
  return compareNumbers(new Double(asNumber(x)), new Double(asNumber(y)));
}

function compareDocs(a: Doc, b: Doc): number {
  const others = b.entries();
  for (const [name, value] of a) {
    const other = others.next();
    if (other.done) return 1;
    const [otherName, otherValue] = other.value;
    const result = rank(value) - rank(otherValue) || compareText(name, otherName) || compare(value, otherValue);
    if (result !== 0) return result;
  }
  return others.next().done ? 0 : -1;
}

function compareArrays(a: Value[], b: Value[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const result = compare(a[i], b[i]);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

const asText = (value: Value): string => (typeof value === 'string' ? value : (value as BSONSymbol).value);
const binaryBytes = (value: Binary): Buffer =>
  Buffer.from(value.buffer.buffer, value.buffer.byteOffset, value.position);

type Comparison = (a: never, b: never) => number;

const COMPARISONS: Record<number, Comparison> = {
  [RANK.int]: compareNumbers,
  [RANK.string]: (a: Value, b: Value) => compareText(asText(a), asText(b)),
  [RANK.object]: compareDocs,
  [RANK.array]: compareArrays,
  [RANK.binData]: (a: Binary, b: Binary) =>
    a.position - b.position || a.sub_type - b.sub_type || binaryBytes(a).compare(binaryBytes(b)),
  [RANK.objectId]: (a: ObjectId, b: ObjectId) => Buffer.compare(a.id, b.id),
  [RANK.bool]: (a: boolean, b: boolean) => Number(a) - Number(b),
  [RANK.date]: (a: Date, b: Date) => order(a.getTime(), b.getTime()),
  [RANK.timestamp]: (a: Timestamp, b: Timestamp) => a.compare(b),
  [RANK.regex]: (a: BSONRegExp, b: BSONRegExp) =>
    compareText(a.pattern, b.pattern) || compareText(a.options, b.options),
  [RANK.javascript]: (a: Code, b: Code) => compareText(String(a.code), String(b.code)),
};

/** Compares two values in BSON's order; missing counts as null. */
export function compare(a: Value, b: Value): number {
  const x = rank(a);
  const y = rank(b);
  if (x !== y) return x - y;
  const comparison = COMPARISONS[x];
  return comparison ? comparison(a as never, b as never) : 0;
}

export const equal = (a: Value, b: Value): boolean => compare(a, b) === 0;

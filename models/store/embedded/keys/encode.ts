import { createHash } from 'node:crypto';
import type { Binary, BSONRegExp, BSONSymbol, Code, ObjectId, Timestamp } from 'bson';
import { fraction } from '../bson/decimal.ts';
import { Decimal128, type Doc, Double, type Numeric, RANK, rank, toNumber, type Value } from '../bson/value.ts';

/** Bytes of encoded fields that a key may hold; what is longer ends in a digest. The engine's own limit is 1,978. */
export const MAX_KEY = 1900;

let scratch = Buffer.allocUnsafe(4096);
let length = 0;

function room(size: number): void {
  if (length + size <= scratch.length) return;
  const larger = Buffer.allocUnsafe((length + size) * 2);
  scratch.copy(larger, 0, 0, length);
  scratch = larger;
}

function byte(value: number): void {
  room(1);
  scratch[length++] = value;
}

/** Text ends in 00 01 and its own zero bytes become 00 FF, so that a key is never the beginning of another. */
function text(value: string): void {
  room(value.length * 6 + 2);
  if (!value.includes('\0')) length += scratch.utf8Write(value, length);
  else {
    for (const item of Buffer.from(value)) {
      scratch[length++] = item;
      if (item === 0) scratch[length++] = 0xff;
    }
  }
  scratch[length++] = 0;
  scratch[length++] = 1;
}

function bytes(value: Uint8Array): void {
  room(value.length);
  scratch.set(value, length);
  length += value.length;
}

const view = new DataView(new ArrayBuffer(8));
const viewBytes = new Uint8Array(view.buffer);

/** A double's bits, turned so that unsigned byte order is numeric order; NaN is lowest. */
function orderedDouble(value: number): void {
  // Adding zero leaves one zero of the two.
  view.setFloat64(0, value + 0);
  if (Number.isNaN(value)) viewBytes.fill(0);
  else if (viewBytes[0]! & 0x80) for (let i = 0; i < 8; i++) viewBytes[i] = ~viewBytes[i]!;
  else viewBytes[0]! |= 0x80;
  bytes(viewBytes);
}

/** The next double towards minus infinity. */
function below(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return view.getFloat64(0);
}

type Fraction = { n: bigint; d: bigint };

/** A double as a fraction; beyond the largest stands twice its value. */
const fractionOf = (value: number): Fraction =>
  Number.isFinite(value)
    ? (fraction(new Double(value)) as Fraction)
    : { n: 2n ** 1025n * BigInt(Math.sign(value)), d: 1n };

const minus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });

/**
 * Every number is its largest double at or below, then a zero byte when that is exact, or a one and 64 bits of what
 * is left within the step to the next double: Int32, Int64, Double and Decimal128 share one exact order.
 */
function number(value: Numeric) {
  const wide = value instanceof Decimal128 || (typeof value === 'bigint' && BigInt.asIntN(54, value) !== value);
  const exact = wide ? fraction(value) : toNumber(value);
  if (typeof exact === 'number') {
    orderedDouble(exact);
    return byte(0);
  }
  let floor = Math.min(toNumber(value), Number.MAX_VALUE);
  while (floor > -Infinity && minus(exact, fractionOf(floor)).n < 0n) floor = below(floor);
  orderedDouble(floor);
  const rest = minus(exact, fractionOf(floor));
  if (rest.n === 0n) return byte(0);
  const step = minus(fractionOf(-below(-floor)), fractionOf(floor));
  byte(1);
  const share = (rest.n * step.d * 2n ** 64n) / (rest.d * step.n);
  // Decimals reach further than doubles: all beyond have one key.
  view.setBigUint64(0, share < 0n ? 0n : share >= 2n ** 64n ? 2n ** 64n - 1n : share);
  bytes(viewBytes);
}

function object(value: Doc): void {
  for (const [name, item] of value) {
    const type = rank(item);
    byte(type);
    text(name);
    PAYLOADS[type]?.(item as never);
  }
  byte(0);
}

function array(value: Value[]): void {
  for (const item of value) element(item);
  byte(0);
}

const PAYLOADS: Record<number, (value: never) => void> = {
  [RANK.int]: number,
  [RANK.string]: (value: string | BSONSymbol) => text(typeof value === 'string' ? value : value.value),
  [RANK.object]: object,
  [RANK.array]: array,
  [RANK.binData]: (value: Binary) => {
    view.setUint32(0, value.position);
    bytes(viewBytes.subarray(0, 4));
    byte(value.sub_type);
    bytes(value.buffer.subarray(0, value.position));
  },
  [RANK.objectId]: (value: ObjectId) => bytes(value.id),
  [RANK.bool]: (value: boolean) => byte(value ? 1 : 0),
  [RANK.date]: (value: Date) => {
    view.setBigInt64(0, BigInt(value.getTime() || 0));
    viewBytes[0]! ^= 0x80;
    bytes(viewBytes);
  },
  [RANK.timestamp]: (value: Timestamp) => {
    view.setBigUint64(0, value.toBigInt() & 0xffffffffffffffffn);
    bytes(viewBytes);
  },
  [RANK.regex]: (value: BSONRegExp) => {
    text(value.pattern);
    text(value.options);
  },
  [RANK.javascript]: (value: Code) => text(String(value.code)),
};

function element(value: Value): void {
  const type = rank(value);
  byte(type);
  PAYLOADS[type]?.(value as never);
}

/** The order-preserving bytes of one value: comparing two keys compares the values in BSON's order. */
export function encodeKey(value: Value): Buffer {
  length = 0;
  element(value);
  return Buffer.from(scratch.subarray(0, length));
}

/** The identity of a value: numbers of different types with equal values have the same. */
export const identity = (value: Value): unknown =>
  typeof value === 'string' || typeof value === 'boolean' ? value : `\u0000${encodeKey(value).latin1Slice()}`;

/** The key of what an index keeps for an empty array: below null. */
export const EMPTY_ARRAY_KEY = Buffer.from([RANK.undefined]);

/** The same key for a descending field: every byte turned. Returns a new buffer. */
export function invert(key: Buffer): Buffer {
  const out = Buffer.allocUnsafe(key.length);
  for (let i = 0; i < key.length; i++) out[i] = ~key[i]!;
  return out;
}

/** The smallest key above every key that begins with `prefix`. */
export function after(prefix: Buffer): Buffer {
  const out = Buffer.from(prefix);
  for (let i = out.length - 1; i >= 0; i--) {
    if (out[i]! < 0xff) {
      out[i]! += 1;
      return out.subarray(0, i + 1);
    }
  }
  return Buffer.concat([prefix, Buffer.from([0xff])]);
}

/** Keys beyond the limit keep their beginning and a digest: exact for equality, in order up to the cut. */
export function shorten(key: Buffer): Buffer {
  if (key.length <= MAX_KEY) return key;
  const digest = createHash('sha256').update(key).digest();
  return Buffer.concat([key.subarray(0, MAX_KEY - 32), digest]);
}

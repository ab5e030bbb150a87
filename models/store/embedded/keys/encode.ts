import { createHash } from 'node:crypto';
import { fraction } from '../bson/decimal.ts';
import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  Decimal128,
  type Doc,
  Double,
  type Numeric,
  type ObjectId,
  RANK,
  rank,
  type Timestamp,
  toNumber,
  type Value,
} from '../bson/value.ts';

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

function byte(value: number) {
  room(1);
  scratch[length++] = value;
}

/** Text ends in 00 01 and its own zero bytes become 00 FF, so that a key is never the beginning of another. */
function text(value: string): void {
  room(value.length * 3 + 2);
  if (value.includes('\0')) {
    const bytes = Buffer.from(value);
    room(bytes.length * 2 + 2);
    for (const item of bytes) {
      scratch[length++] = item;
      if (item === 0) scratch[length++] = 0xff;
    }
  } else length += scratch.utf8Write(value, length);
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
  view.setFloat64(0, Number.isNaN(value) ? 0 : value === 0 ? 0 : value);
  if (Number.isNaN(value)) viewBytes.fill(0);
  else if (viewBytes[0]! & 0x80) for (let i = 0; i < 8; i++) viewBytes[i] = ~viewBytes[i]!;
  else viewBytes[0]! |= 0x80;
  bytes(viewBytes);
}

/** The next double towards minus infinity. */
function below(value: number): number {
  if (value === -Infinity) return value;
  if (value === 0) return -Number.MIN_VALUE;
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, value > 0 ? bits - 1n : bits + 1n);
  return view.getFloat64(0);
}

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
  let floor = Number(value instanceof Decimal128 ? value.toString() : value);
  if (floor === Infinity) floor = Number.MAX_VALUE;
  const less = () => {
    const f = fraction(new Double(floor));
    return typeof f === 'number' || f.n * exact.d <= exact.n * f.d;
  };
  while (!less()) floor = below(floor);
  orderedDouble(floor);
  const base = fraction(new Double(floor));
  if (typeof base === 'number') return byte(1);
  const restN = exact.n * base.d - base.n * exact.d;
  if (restN === 0n) return byte(0);
  const next =
    floor === Number.MAX_VALUE
      ? { n: base.n * 2n, d: 1n }
      : (fraction(new Double(-below(-floor))) as { n: bigint; d: bigint });
  const stepN = next.n * base.d - base.n * next.d;
  const rest = (restN * next.d * 2n ** 64n) / (exact.d * stepN);
  byte(1);
  view.setBigUint64(0, rest > 2n ** 64n - 1n ? 2n ** 64n - 1n : rest);
  bytes(viewBytes);
}

function int64(value: bigint): void {
  view.setBigInt64(0, value);
  viewBytes[0]! ^= 0x80;
  bytes(viewBytes);
}

function object(value: Doc): void {
  for (const [name, item] of value) {
    byte(rank(item));
    text(name);
    payload(item);
  }
  byte(0);
}

function array(value: Value[]): void {
  for (const item of value) element(item);
  byte(0);
}

const codeText = (value: Code): string => (typeof value.code === 'string' ? value.code : String(value.code));

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
  [RANK.date]: (value: Date) => int64(BigInt(Number.isNaN(value.getTime()) ? 0 : value.getTime())),
  [RANK.timestamp]: (value: Timestamp) => {
    view.setBigUint64(0, value.toBigInt() & 0xffffffffffffffffn);
    bytes(viewBytes);
  },
  [RANK.regex]: (value: BSONRegExp) => {
    text(value.pattern);
    text(value.options);
  },
  [RANK.javascript]: (value: Code) => text(codeText(value)),
};

function payload(value: Value): void {
  PAYLOADS[rank(value)]?.(value as never);
}

function element(value: Value): void {
  byte(rank(value));
  payload(value);
}

/** The order-preserving bytes of one value: comparing two keys compares the values in BSON's order. */
export function encodeKey(value: Value): Buffer {
  length = 0;
  element(value);
  return Buffer.from(scratch.subarray(0, length));
}

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

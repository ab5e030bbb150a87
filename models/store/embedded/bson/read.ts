import { CommandError, fail } from '../errors.ts';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  type Doc,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Value,
} from './value.ts';

/** Documents nest at most this deep, as in MongoDB. */
const MAX_DEPTH = 180;
const float = new Float64Array(1);
const floatBytes = new Uint8Array(float.buffer);

export const int32 = (bytes: Buffer, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);

function int64(bytes: Buffer, at: number): bigint {
  return (BigInt(int32(bytes, at + 4)) << 32n) | BigInt(int32(bytes, at) >>> 0);
}

function double(bytes: Buffer, at: number): number {
  for (let i = 0; i < 8; i++) floatBytes[i] = bytes[at + i]!;
  return float[0]!;
}

/** The offset of the zero byte that ends the C string at `at`. */
export function cstringEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] !== 0) end++;
  return end;
}

const FIXED: Record<number, number> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};
const SIZES = new Int8Array(256).fill(-1);
for (const [type, size] of Object.entries(FIXED)) SIZES[Number(type)] = size;

/** The size in bytes of a value of this type that starts at `at`, in a document that was validated before. */
export function valueSize(type: number, bytes: Buffer, at: number): number {
  const fixed = SIZES[type]!;
  if (fixed >= 0) return fixed;
  switch (type) {
    case 3:
    case 4:
    case 15:
      return int32(bytes, at);
    case 5:
      return 5 + int32(bytes, at);
    case 11:
      return cstringEnd(bytes, cstringEnd(bytes, at) + 1) + 1 - at;
    case 12:
      return 16 + int32(bytes, at);
    default:
      return 4 + int32(bytes, at);
  }
}

const invalid = (what: string) => new CommandError('InvalidBSON', `Invalid BSON: ${what}`);

/** Checks a whole document from untrusted bytes, so that every other reader may trust lengths. Returns its end. */
export function validate(bytes: Buffer, at: number, limit: number, depth = 0): number {
  if (depth > MAX_DEPTH) fail(15, 'Exceeded maximum nested object depth: 180');
  if (at + 5 > limit) throw invalid('document is cut short');
  const size = int32(bytes, at);
  const end = at + size;
  if (size < 5 || end > limit || bytes[end - 1] !== 0) throw invalid('document has a wrong length');
  let offset = at + 4;
  while (offset < end - 1) {
    const type = bytes[offset++]!;
    offset = checkCstring(bytes, offset, end - 1);
    offset = validateValue(type, bytes, offset, end - 1, depth);
    if (offset > end - 1) throw invalid('element passes the end of its document');
  }
  if (offset !== end - 1) throw invalid('document has a wrong length');
  return end;
}

function checkCstring(bytes: Buffer, at: number, limit: number): number {
  let offset = at;
  while (offset < limit && bytes[offset] !== 0) offset++;
  if (offset >= limit) throw invalid('unterminated name');
  return offset + 1;
}

function checkString(bytes: Buffer, at: number, limit: number): number {
  if (at + 5 > limit) throw invalid('string is cut short');
  const size = int32(bytes, at);
  if (size < 1 || at + 4 + size > limit || bytes[at + 3 + size] !== 0) throw invalid('string has a wrong length');
  return at + 4 + size;
}

function validateValue(type: number, bytes: Buffer, at: number, limit: number, depth: number): number {
  const fixed = SIZES[type]!;
  if (fixed >= 0) {
    if (type === 8 && bytes[at]! > 1) throw invalid('boolean is neither 0 nor 1');
    return at + fixed;
  }
  switch (type) {
    case 2:
    case 13:
    case 14:
      return checkString(bytes, at, limit);
    case 3:
    case 4:
      return validate(bytes, at, limit, depth + 1);
    case 5: {
      if (at + 5 > limit) throw invalid('binary is cut short');
      const size = int32(bytes, at);
      if (size < 0 || at + 5 + size > limit) throw invalid('binary has a wrong length');
      if (bytes[at + 4] === 2 && (size < 4 || int32(bytes, at + 5) !== size - 4))
        throw invalid('old binary has a wrong length');
      return at + 5 + size;
    }
    case 11:
      return checkCstring(bytes, checkCstring(bytes, at, limit), limit);
    case 12:
      return checkString(bytes, at, limit) + 12;
    case 15: {
      if (at + 4 > limit) throw invalid('code is cut short');
      const scope = checkString(bytes, at + 4, limit);
      const end = validate(bytes, scope, limit, depth + 1);
      if (end !== at + int32(bytes, at)) throw invalid('code has a wrong length');
      return end;
    }
    default:
      throw invalid(`unknown type ${type}`);
  }
}

/** Short ASCII is cheaper to read by hand than through a call into the runtime. */
function text(bytes: Buffer, at: number, end: number): string {
  if (end - at > 24) return bytes.utf8Slice(at, end);
  let out = '';
  for (let i = at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte > 127) return bytes.utf8Slice(at, end);
    out += String.fromCharCode(byte);
  }
  return out;
}

/** Decodes the document at `at`; top-level fields named in `skip` become null. */
export function readDoc(bytes: Buffer, at = 0, skip?: Set<string>): Doc {
  const out: Doc = new Map();
  const end = at + int32(bytes, at) - 1;
  let offset = at + 4;
  while (offset < end) {
    const type = bytes[offset++]!;
    const nameEnd = cstringEnd(bytes, offset);
    const name = text(bytes, offset, nameEnd);
    offset = nameEnd + 1;
    out.set(name, skip?.has(name) ? null : readValue(type, bytes, offset));
    offset += valueSize(type, bytes, offset);
  }
  return out;
}

export function readArray(bytes: Buffer, at: number): Value[] {
  const out: Value[] = [];
  const end = at + int32(bytes, at) - 1;
  let offset = at + 4;
  while (offset < end) {
    const type = bytes[offset]!;
    offset = cstringEnd(bytes, offset + 1) + 1;
    out.push(readValue(type, bytes, offset));
    offset += valueSize(type, bytes, offset);
  }
  return out;
}

const copy = (bytes: Buffer, at: number, end: number): Buffer =>
  Buffer.from(Uint8Array.prototype.slice.call(bytes, at, end));

/** Decodes one value; the bytes may be reused afterwards. */
export function readValue(type: number, bytes: Buffer, at: number): Value {
  switch (type) {
    case 1:
      return new Double(double(bytes, at));
    case 2:
      return text(bytes, at + 4, at + 3 + int32(bytes, at));
    case 3:
      return readDoc(bytes, at);
    case 4:
      return readArray(bytes, at);
    case 5: {
      const size = int32(bytes, at);
      const subtype = bytes[at + 4]!;
      const start = subtype === 2 ? at + 9 : at + 5;
      return new Binary(copy(bytes, start, at + 5 + size), subtype);
    }
    case 7:
      return new ObjectId(copy(bytes, at, at + 12));
    case 8:
      return bytes[at] === 1;
    case 9:
      return new Date(Number(int64(bytes, at)));
    case 11: {
      const end = cstringEnd(bytes, at);
      return new BSONRegExp(bytes.utf8Slice(at, end), bytes.utf8Slice(end + 1, cstringEnd(bytes, end + 1)));
    }
    case 13:
      return new Code(text(bytes, at + 4, at + 3 + int32(bytes, at)));
    case 14:
      return new BSONSymbol(text(bytes, at + 4, at + 3 + int32(bytes, at)));
    case 15: {
      const size = int32(bytes, at + 4);
      const scope = Object.fromEntries(readDoc(bytes, at + 8 + size));
      return new Code(text(bytes, at + 8, at + 7 + size), scope);
    }
    case 16:
      return int32(bytes, at);
    case 17:
      return new Timestamp({ t: int32(bytes, at + 4) >>> 0, i: int32(bytes, at) >>> 0 });
    case 18:
      return int64(bytes, at);
    case 19:
      return new Decimal128(copy(bytes, at, at + 16));
    case 127:
      return new MaxKey();
    case 255:
      return new MinKey();
    default:
      return null;
  }
}

/** The offset of the type byte of a field in the document at `at`, or -1. The value starts after type, name and zero. */
export function seek(bytes: Buffer, at: number, name: Buffer): number {
  const end = at + int32(bytes, at) - 1;
  const length = name.length;
  let offset = at + 4;
  while (offset < end) {
    const element = offset++;
    let i = 0;
    while (i < length && bytes[offset + i] === name[i]) i++;
    if (i === length && bytes[offset + i] === 0) return element;
    offset = cstringEnd(bytes, offset + (i < length ? 0 : i)) + 1;
    offset += valueSize(bytes[element]!, bytes, offset);
  }
  return -1;
}

/** The value of a top-level field, or undefined. */
export function field(bytes: Buffer, at: number, name: Buffer): Value {
  const element = seek(bytes, at, name);
  return element < 0 ? undefined : readValue(bytes[element]!, bytes, element + name.length + 2);
}

/** Whether the documents `a` and `b` are the same bytes. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && a.compare(b) === 0;

import * as bson from 'bson';
import { fail } from '../errors.ts';
import type { Doc, Value } from './value.ts';

/** Documents nest at most this deep, as in MongoDB. */
const MAX_DEPTH = 180;

export const int32 = (bytes: Buffer, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);

/** The offset of the zero byte that ends the C string at `at`. */
function cstringEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] !== 0) end++;
  return end;
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

const sizedText = (bytes: Buffer, at: number): string => text(bytes, at + 4, at + 3 + int32(bytes, at));

const copy = (bytes: Buffer, at: number, end: number): Buffer =>
  Buffer.from(Uint8Array.prototype.slice.call(bytes, at, end));

const invalid = (what: string): never => fail('InvalidBSON', `Invalid BSON: ${what}`);

/** How the values of one type lie in a document. */
type Format = {
  /** The size of a value in a document that was checked before; a number where all are alike. */
  size: number | ((bytes: Buffer, at: number) => number);
  /** Decodes a value; the bytes may be reused afterwards. */
  read(bytes: Buffer, at: number): Value;
  /** Checks a value from untrusted bytes and returns its end; where it is left out, any bytes of the size will do. */
  check?(bytes: Buffer, at: number, limit: number, depth: number): number;
};

const sized = (read: Format['read']): Format => ({
  size: (bytes, at) => 4 + int32(bytes, at),
  check: checkString,
  read,
});

const nested = (read: Format['read']): Format => ({
  size: int32,
  check: (bytes, at, limit, depth) => validate(bytes, at, limit, depth + 1),
  read,
});

const binary: Format = {
  size: (bytes, at) => 5 + int32(bytes, at),
  check(bytes, at, limit) {
    const size = at + 5 > limit ? -1 : int32(bytes, at);
    if (size < 0 || at + 5 + size > limit) invalid('binary has a wrong length');
    const old = bytes[at + 4] === 2;
    if (old && (size < 4 || int32(bytes, at + 5) !== size - 4)) invalid('old binary has a wrong length');
    return at + 5 + size;
  },
  read(bytes, at) {
    const start = bytes[at + 4] === 2 ? at + 9 : at + 5;
    return new bson.Binary(copy(bytes, start, at + 5 + int32(bytes, at)), bytes[at + 4]);
  },
};

const regex: Format = {
  size: (bytes, at) => cstringEnd(bytes, cstringEnd(bytes, at) + 1) + 1 - at,
  check: (bytes, at, limit) => checkCstring(bytes, checkCstring(bytes, at, limit), limit),
  read(bytes, at) {
    const end = cstringEnd(bytes, at);
    return new bson.BSONRegExp(bytes.utf8Slice(at, end), bytes.utf8Slice(end + 1, cstringEnd(bytes, end + 1)));
  },
};

const scopedCode: Format = {
  size: int32,
  check(bytes, at, limit, depth) {
    const end = validate(bytes, checkString(bytes, at + 4, limit), limit, depth + 1);
    return end === at + int32(bytes, at) ? end : invalid('code has a wrong length');
  },
  read: (bytes, at) =>
    new bson.Code(sizedText(bytes, at + 4), Object.fromEntries(readDoc(bytes, at + 8 + int32(bytes, at + 4)))),
};

const checkBoolean = (bytes: Buffer, at: number): number =>
  bytes[at]! > 1 ? invalid('boolean is neither 0 nor 1') : at + 1;

/** The formats by the numbers of their types; a DBPointer and undefined, long out of use, are read as null. */
const FORMATS: Record<number, Format> = {
  1: { size: 8, read: (bytes, at) => new bson.Double(bytes.readDoubleLE(at)) },
  2: sized(sizedText),
  3: nested((bytes, at) => readDoc(bytes, at)),
  4: nested(readArray),
  5: binary,
  6: { size: 0, read: () => null },
  7: { size: 12, read: (bytes, at) => new bson.ObjectId(copy(bytes, at, at + 12)) },
  8: { size: 1, read: (bytes, at) => bytes[at] === 1, check: checkBoolean },
  9: { size: 8, read: (bytes, at) => new Date(Number(bytes.readBigInt64LE(at))) },
  10: { size: 0, read: () => null },
  11: regex,
  12: {
    size: (bytes, at) => 16 + int32(bytes, at),
    check: (bytes, at, limit) => checkString(bytes, at, limit) + 12,
    read: () => null,
  },
  13: sized((bytes, at) => new bson.Code(sizedText(bytes, at))),
  14: sized((bytes, at) => new bson.BSONSymbol(sizedText(bytes, at))),
  15: scopedCode,
  16: { size: 4, read: int32 },
  17: { size: 8, read: (bytes, at) => new bson.Timestamp(bytes.readBigUInt64LE(at)) },
  18: { size: 8, read: (bytes, at) => bytes.readBigInt64LE(at) },
  19: { size: 16, read: (bytes, at) => new bson.Decimal128(copy(bytes, at, at + 16)) },
  127: { size: 0, read: () => new bson.MaxKey() },
  255: { size: 0, read: () => new bson.MinKey() },
};

/** The sizes of the types that have one, -1 for the others: asked for every field that a scan passes over. */
const SIZES = Int8Array.from({ length: 256 }, (_, type) => {
  const size = FORMATS[type]?.size;
  return typeof size === 'number' ? size : -1;
});

/** The size in bytes of a value of this type that starts at `at`, in a document that was validated before. */
export function valueSize(type: number, bytes: Buffer, at: number): number {
  const size = SIZES[type]!;
  if (size >= 0) return size;
  return type === 2 ? 4 + int32(bytes, at) : (FORMATS[type]!.size as (bytes: Buffer, at: number) => number)(bytes, at);
}

/** Decodes one value; the bytes may be reused afterwards. */
const readValue = (type: number, bytes: Buffer, at: number): Value => FORMATS[type]!.read(bytes, at);

/** Checks a whole document from untrusted bytes, so that every other reader may trust lengths. Returns its end. */
export function validate(bytes: Buffer, at: number, limit: number, depth = 0): number {
  if (depth > MAX_DEPTH) fail(15, 'Exceeded maximum nested object depth: 180');
  if (at + 5 > limit) invalid('document is cut short');
  const size = int32(bytes, at);
  const end = at + size;
  if (size < 5 || end > limit || bytes[end - 1] !== 0) invalid('document has a wrong length');
  let offset = at + 4;
  while (offset < end - 1) {
    const format = FORMATS[bytes[offset]!] ?? invalid(`unknown type ${bytes[offset]}`);
    const value = checkCstring(bytes, offset + 1, end - 1);
    offset = format.check ? format.check(bytes, value, end - 1, depth) : value + (format.size as number);
    if (offset > end - 1) invalid('element passes the end of its document');
  }
  return end;
}

function checkCstring(bytes: Buffer, at: number, limit: number): number {
  let offset = at;
  while (offset < limit && bytes[offset] !== 0) offset++;
  return offset < limit ? offset + 1 : invalid('unterminated name');
}

function checkString(bytes: Buffer, at: number, limit: number): number {
  if (at + 5 > limit) invalid('string is cut short');
  const size = int32(bytes, at);
  if (size < 1 || at + 4 + size > limit || bytes[at + 3 + size] !== 0) invalid('string has a wrong length');
  return at + 4 + size;
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

/** The type and offset of every value in the array or document at `at`. */
export function* elementsOf(bytes: Buffer, at: number): Iterable<[type: number, offset: number]> {
  const end = at + int32(bytes, at) - 1;
  let offset = at + 4;
  while (offset < end) {
    const type = bytes[offset]!;
    offset = cstringEnd(bytes, offset + 1) + 1;
    yield [type, offset];
    offset += valueSize(type, bytes, offset);
  }
}

function readArray(bytes: Buffer, at: number): Value[] {
  const out: Value[] = [];
  for (const [type, offset] of elementsOf(bytes, at)) out.push(readValue(type, bytes, offset));
  return out;
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
export function field(bytes: Buffer, name: Buffer): Value {
  const element = seek(bytes, 0, name);
  return element < 0 ? undefined : readValue(bytes[element]!, bytes, element + name.length + 2);
}

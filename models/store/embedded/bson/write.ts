import { serialize } from 'bson';
import { fail } from '../errors.ts';
import type { Doc, Value } from './value.ts';

/** Documents are at most this many bytes. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;

/** Encodes a document; fields that are undefined are left out. */
export function writeDoc(fields: Doc): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = serialize(fields as never);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fail('BSONObjectTooLarge', 'BSONObj size is invalid. Size must be between 0 and 16793600(16MB)');
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const ARRAY_NAMES = Array.from({ length: 1000 }, (_, i) => Buffer.from(`${i}\0`));
const arrayName = (i: number): Buffer => ARRAY_NAMES[i] ?? Buffer.from(`${i}\0`);

/** A reply's cursor part, built from raw documents without decoding them. */
export type CursorReply = { name: 'firstBatch' | 'nextBatch'; docs: Buffer[]; id: bigint; ns: string };

/** Encodes `{cursor: {<name>: [docs], id, ns}, ok: 1.0}` into `out` after `offset` bytes that the caller fills. */
export function writeCursorReply(reply: CursorReply, offset: number): Buffer {
  let array = 5;
  for (let i = 0; i < reply.docs.length; i++) array += 1 + arrayName(i).length + reply.docs[i]!.length;
  const ns = Buffer.byteLength(reply.ns);
  const cursor = 4 + (1 + reply.name.length + 1 + array) + (1 + 3 + 8) + (1 + 3 + 4 + ns + 1) + 1;
  const total = 4 + (1 + 7 + cursor) + (1 + 3 + 8) + 1;
  const out = Buffer.allocUnsafe(offset + total);
  let at = out.writeInt32LE(total, offset);
  at = name(out, at, 3, 'cursor');
  at = out.writeInt32LE(cursor, at);
  at = name(out, at, 4, reply.name);
  at = out.writeInt32LE(array, at);
  for (let i = 0; i < reply.docs.length; i++) {
    out[at++] = 3;
    const key = arrayName(i);
    out.set(key, at);
    at += key.length;
    out.set(reply.docs[i]!, at);
    at += reply.docs[i]!.length;
  }
  out[at++] = 0;
  at = name(out, at, 18, 'id');
  at = out.writeBigInt64LE(reply.id, at);
  at = name(out, at, 2, 'ns');
  at = out.writeInt32LE(ns + 1, at);
  at += out.write(reply.ns, at);
  out[at++] = 0;
  out[at++] = 0;
  at = name(out, at, 1, 'ok');
  at = out.writeDoubleLE(1, at);
  out[at] = 0;
  return out;
}

function name(out: Buffer, at: number, type: number, text: string): number {
  out[at] = type;
  out.latin1Write(text, at + 1);
  out[at + 1 + text.length] = 0;
  return at + 2 + text.length;
}

/** The raw document with its `_id` field first: as it is, moved, or with the id given put in front. */
export function withIdFirst(raw: Buffer, element: number, size: number): Buffer {
  const out = Buffer.allocUnsafe(raw.length);
  raw.copy(out, 0, 0, 4);
  raw.copy(out, 4, element, element + size);
  raw.copy(out, 4 + size, 4, element);
  raw.copy(out, element + size, element + size);
  return out;
}

/** The raw document with an `_id` put in front. */
export function withId(raw: Buffer, id: Value): Buffer {
  const idDoc = writeDoc(new Map([['_id', id]]));
  const out = Buffer.concat([idDoc.subarray(0, idDoc.length - 1), raw.subarray(4)]);
  out.writeInt32LE(out.length, 0);
  return out;
}

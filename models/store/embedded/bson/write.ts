import { serialize } from 'bson';
import { fail } from '../errors.ts';
import { type Doc, Double, type Timestamp, type Value } from './value.ts';

/** Documents are at most this many bytes. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;

/** Encodes a document; fields that are undefined are left out. */
export function writeDoc(fields: Doc): Buffer {
  try {
    const bytes = serialize(fields as never);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fail('BSONObjectTooLarge', 'BSONObj size is invalid. Size must be between 0 and 16793600(16MB)');
  }
}

/** What stands before a document in an array: its type and its place as text. */
const itemHead = (i: number): Buffer => Buffer.from(`\x03${i}\0`, 'latin1');
const ITEM_HEADS = Array.from({ length: 1000 }, (_, i) => itemHead(i));

/** A reply's cursor part, made of raw documents. */
type CursorReply = {
  name: 'firstBatch' | 'nextBatch';
  docs: Buffer[];
  id: bigint;
  ns: string;
  moment?: Timestamp;
};

/** Encodes `{cursor: {<name>: [docs], id, ns}, ok: 1.0}` without decoding any of the documents, behind `offset` free bytes. */
export function writeCursorReply({ name, docs, id, ns, moment }: CursorReply, offset: number): Buffer {
  const cursor = new Map<string, Value>([
    [name, []],
    ['id', id],
    ['ns', ns],
    ['atClusterTime', moment],
  ]);
  const shell = writeDoc(
    new Map<string, Value>([
      ['cursor', cursor],
      ['ok', new Double(1)],
    ]),
  );
  // The empty array of the shell is filled; it and the two documents around it grow by as much.
  const lengths = [0, 12, 12 + 4 + 1 + name.length + 1];
  const split = lengths[2]! + 4;
  const items = docs.flatMap((doc, i) => [ITEM_HEADS[i] ?? itemHead(i), doc]);
  const out = Buffer.concat([Buffer.alloc(offset), shell.subarray(0, split), ...items, shell.subarray(split)]);
  const grown = out.length - offset - shell.length;
  for (const at of lengths) out.writeInt32LE(shell.readInt32LE(at) + grown, offset + at);
  return out;
}

/** The raw document with `_id` in front: the element from `at` of this size. */
export function withIdFirst(raw: Buffer, at: number, size: number): Buffer {
  return Buffer.concat([raw.subarray(0, 4), raw.subarray(at, at + size), raw.subarray(4, at), raw.subarray(at + size)]);
}

/** The raw document with an `_id` put in front. */
export function withId(raw: Buffer, id: Value): Buffer {
  const out = Buffer.concat([writeDoc(new Map([['_id', id]])).subarray(0, -1), raw.subarray(4)]);
  out.writeInt32LE(out.length, 0);
  return out;
}

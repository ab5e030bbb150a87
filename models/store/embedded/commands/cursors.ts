import { randomBytes } from 'node:crypto';
import { type Doc, isNumber, type Timestamp, toNumber, typeName } from '../bson/value.ts';
import { writeCursorReply, writeDoc } from '../bson/write.ts';
import { fail, refuse } from '../errors.ts';
import { REPLY_HEADER } from '../wire/message.ts';
import { docOf } from './arguments.ts';

/** Documents come one at a time, raw; undefined is the end. */
export type Stream = { next(): Buffer | undefined };

type Cursor = { id: bigint; ns: string; stream: Stream; ahead: Buffer | undefined; touched: number };

/** Bytes of documents in one reply; a single larger document goes alone. */
const MAX_BATCH = 1024 * 1024;
const FIRST_BATCH = 101;
/** A cursor nobody asks for is closed after this many milliseconds. */
const IDLE = 10 * 60 * 1000;

/** Decoded documents as a stream. */
export function docStream(docs: Iterable<Doc>): Stream {
  const iterator = docs[Symbol.iterator]();
  return {
    next() {
      const item = iterator.next();
      return item.done ? undefined : writeDoc(item.value);
    },
  };
}

/** The size of the first batch as a command's `cursor: {batchSize}` asks for it. */
export function cursorSize(body: Doc): number | undefined {
  const value = docOf(body.get('cursor')).get('batchSize') ?? undefined;
  if (value !== undefined && !isNumber(value))
    fail('TypeMismatch', `BSON field 'cursor.batchSize' is the wrong type '${typeName(value)}', expected 'long'`);
  const size = toNumber(value);
  if (size < 0) refuse(`BSON field 'batchSize' value must be >= 0, actual value '${size}'`);
  return value === undefined ? undefined : Math.trunc(size);
}

type First = {
  size?: number;
  /** Close the cursor after this batch. */
  single?: boolean;
  /** The moment at which it is read, which the reply tells. */
  moment?: Timestamp;
  /** Fields of the reply beside the cursor. */
  more?: Doc;
};

/** Keeps the streams of clients between their batches. */
export class Cursors {
  private readonly open = new Map<bigint, Cursor>();

  /** The first reply of a stream; a cursor is kept when more is to come. */
  first(ns: string, stream: Stream, { size, single, moment, more }: First = {}): Buffer {
    const cursor: Cursor = { id: 0n, ns, stream, ahead: undefined, touched: Date.now() };
    const docs = size === 0 ? [] : this.fill(cursor, size ?? FIRST_BATCH);
    if (!single && (size === 0 || cursor.ahead !== undefined)) {
      cursor.id = randomBytes(8).readBigInt64LE(0) & 0x7fffffffffffffffn || 1n;
      this.open.set(cursor.id, cursor);
    }
    return writeCursorReply({ name: 'firstBatch', docs, id: cursor.id, ns, moment, more }, REPLY_HEADER);
  }

  /** The next reply of a cursor, with all that one reply holds where `size` is 0; throws CursorNotFound (43). */
  next(id: bigint, ns: string, size: number): Buffer {
    const cursor = this.open.get(id);
    if (!cursor) fail('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.ns !== ns)
      fail('Unauthorized', `Requested getMore on namespace '${ns}', but cursor belongs to ${cursor.ns}`);
    cursor.touched = Date.now();
    this.open.delete(id);
    const docs = this.fill(cursor, size || Number.POSITIVE_INFINITY);
    const more = cursor.ahead !== undefined;
    if (more) this.open.set(id, cursor);
    return writeCursorReply({ name: 'nextBatch', docs, id: more ? id : 0n, ns }, REPLY_HEADER);
  }

  private fill(cursor: Cursor, size: number): Buffer[] {
    const docs: Buffer[] = [];
    let bytes = 0;
    let doc = cursor.ahead ?? cursor.stream.next();
    cursor.ahead = undefined;
    while (doc) {
      if (docs.length >= size || (docs.length > 0 && bytes + doc.length > MAX_BATCH)) {
        cursor.ahead = doc;
        break;
      }
      docs.push(doc);
      bytes += doc.length;
      doc = cursor.stream.next();
    }
    return docs;
  }

  /** Closes a cursor; false when there is none. */
  kill(id: bigint): boolean {
    return this.open.delete(id);
  }

  /** Closes what nobody has asked for in a long time. */
  expire(now = Date.now()): void {
    for (const cursor of this.open.values()) if (now - cursor.touched > IDLE) this.open.delete(cursor.id);
  }

  /** How many are open, for serverStatus. */
  get count(): number {
    return this.open.size;
  }
}

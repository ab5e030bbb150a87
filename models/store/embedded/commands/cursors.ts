import { randomBytes } from 'node:crypto';
import { toNumber, type Value } from '../bson/value.ts';
import { writeCursorReply } from '../bson/write.ts';
import { fail, refuse } from '../errors.ts';
import { REPLY_HEADER } from '../wire/message.ts';

/** Documents come one at a time, raw; undefined is the end. */
export type Stream = { next(): Buffer | undefined };

type Cursor = { id: bigint; ns: string; stream: Stream; ahead: Buffer | undefined; touched: number };

/** Bytes of documents in one reply; a single larger document goes alone. */
const MAX_BATCH = 1024 * 1024;
const FIRST_BATCH = 101;
/** A cursor nobody asks for is closed after this many milliseconds. */
const IDLE = 10 * 60 * 1000;

/** The size of a batch as a client asks for it: a whole number that is not negative, or undefined. */
export function batchSize(value: Value): number | undefined {
  if (value === undefined || value === null) return undefined;
  const size = toNumber(value);
  if (!Number.isFinite(size))
    fail('TypeMismatch', "BSON field 'batchSize' is the wrong type, expected types '[long, int, decimal, double]'");
  if (size < 0) refuse(`BSON field 'batchSize' value must be >= 0, actual value '${size}'`);
  return Math.trunc(size);
}

/** Keeps the streams of clients between their batches. */
export class Cursors {
  private readonly open = new Map<bigint, Cursor>();
  private readonly maxBatch: number;

  constructor(maxBatch = MAX_BATCH) {
    this.maxBatch = maxBatch;
  }

  /** The first reply of a stream; a cursor is kept when more is to come. `single` closes it after this batch. */
  first(ns: string, stream: Stream, size: number | undefined, single = false): Buffer {
    const cursor: Cursor = { id: 0n, ns, stream, ahead: undefined, touched: Date.now() };
    const docs = this.fill(cursor, size ?? FIRST_BATCH, size === 0);
    const more = !single && (size === 0 || cursor.ahead !== undefined);
    if (more) {
      cursor.id = randomBytes(8).readBigInt64LE(0) & 0x7fffffffffffffffn || 1n;
      this.open.set(cursor.id, cursor);
    }
    return writeCursorReply({ name: 'firstBatch', docs, id: cursor.id, ns }, REPLY_HEADER);
  }

  /** The next reply of a cursor; throws CursorNotFound (43). */
  next(id: bigint, ns: string, size: number | undefined): Buffer {
    const cursor = this.open.get(id);
    if (!cursor) fail('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.ns !== ns)
      fail(
        'Unauthorized',
        `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
      );
    cursor.touched = Date.now();
    let docs: Buffer[];
    try {
      docs = this.fill(cursor, size || Number.POSITIVE_INFINITY, false);
    } catch (error) {
      this.open.delete(id);
      throw error;
    }
    if (cursor.ahead === undefined) {
      this.open.delete(id);
      return writeCursorReply({ name: 'nextBatch', docs, id: 0n, ns }, REPLY_HEADER);
    }
    return writeCursorReply({ name: 'nextBatch', docs, id, ns }, REPLY_HEADER);
  }

  private fill(cursor: Cursor, size: number, none: boolean): Buffer[] {
    const docs: Buffer[] = [];
    if (none) return docs;
    let bytes = 0;
    let doc = cursor.ahead ?? cursor.stream.next();
    cursor.ahead = undefined;
    while (doc) {
      if (docs.length >= size || (docs.length > 0 && bytes + doc.length > this.maxBatch)) {
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

import { randomBytes } from 'node:crypto';
import { readDoc } from '../bson/read.ts';
import { type Doc, isNumber, type Timestamp, truthy } from '../bson/value.ts';
import { writeCursorReply, writeDoc } from '../bson/write.ts';
import { fail } from '../errors.ts';
import { REPLY_HEADER } from '../wire/message.ts';
import { docOf, wholeOf } from './arguments.ts';

/** Documents come one at a time, raw; undefined is the end. */
export type Stream = { next(): Buffer | undefined };

type Cursor = { id: bigint; ns: string; stream: Stream; ahead: Buffer | undefined; touched: number };

/** Bytes of documents in one reply; a single larger document goes alone. */
const MAX_BATCH = 1024 * 1024;
const FIRST_BATCH = 101;
/** An idle cursor is closed after this many milliseconds. */
const IDLE = 10 * 60 * 1000;

/** Decoded documents as a stream. */
export function docStream(docs: Iterable<Doc> = []): Stream {
  const iterator = docs[Symbol.iterator]();
  return {
    next() {
      const item = iterator.next();
      return item.done ? undefined : writeDoc(item.value);
    },
  };
}

/** The documents of a stream, decoded. */
export function* docsOf(stream: Stream): Iterable<Doc> {
  for (let raw = stream.next(); raw; raw = stream.next()) yield readDoc(raw);
}

/**
 * Options of a first reply: the time of the snapshot, further fields, and the batch size where the client names none.
 */
type First = { moment?: Timestamp; more?: Doc; usual?: number };

/** The open cursors of clients, between their batches. */
export class Cursors {
  /** Open cursors by id. */
  readonly open = new Map<bigint, Cursor>();

  /**
   * The first reply of a stream, as long as a command's `cursor.batchSize` or `batchSize` wants it; a cursor is kept when
   * more is to come and the client does not forgo it (`singleBatch`).
   */
  first(ns: string, stream: Stream, body: Doc, { moment, more, usual = FIRST_BATCH }: First = {}): Buffer {
    const asked = docOf(body.get('cursor') ?? body).get('batchSize');
    const size = isNumber(asked) ? wholeOf(asked) : usual;
    const cursor: Cursor = { id: 0n, ns, stream, ahead: undefined, touched: Date.now() };
    if (truthy(body.get('noCursorTimeout'))) cursor.touched = Number.POSITIVE_INFINITY;
    const docs = size === 0 ? [] : fill(cursor, size);
    if ((size === 0 || cursor.ahead) && !truthy(body.get('singleBatch'))) {
      cursor.id = randomBytes(8).readBigInt64LE(0) & 0x7fffffffffffffffn || 1n;
      this.open.set(cursor.id, cursor);
    }
    return writeCursorReply({ name: 'firstBatch', docs, id: cursor.id, ns, moment, more }, REPLY_HEADER);
  }

  /** The next reply of a cursor, with all that one reply holds where `size` is 0; throws CursorNotFound (43). */
  next(id: bigint, ns: string, size: number): Buffer {
    const cursor = this.open.get(id) ?? fail('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.ns !== ns) fail('Unauthorized', `getMore of '${ns}' asks for a cursor of ${cursor.ns}`);
    cursor.touched = Math.max(cursor.touched, Date.now());
    this.open.delete(id);
    const docs = fill(cursor, size || Number.POSITIVE_INFINITY);
    if (cursor.ahead) this.open.set(id, cursor);
    return writeCursorReply({ name: 'nextBatch', docs, id: cursor.ahead ? id : 0n, ns }, REPLY_HEADER);
  }

  /** Closes idle cursors. */
  expire(now = Date.now()): void {
    for (const cursor of this.open.values()) if (now - cursor.touched > IDLE) this.open.delete(cursor.id);
  }
}

/** Takes the documents of one reply; one that does not fit is kept for the next reply. */
function fill(cursor: Cursor, size: number): Buffer[] {
  const docs: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const doc = cursor.ahead ?? cursor.stream.next();
    const full = doc && (docs.length >= size || (docs.length > 0 && bytes + doc.length > MAX_BATCH));
    cursor.ahead = full ? doc : undefined;
    if (!doc || full) return docs;
    docs.push(doc);
    bytes += doc.length;
  }
}

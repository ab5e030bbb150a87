import { randomBytes } from 'node:crypto';
import { readDoc } from '../bson/read.ts';
import { type Doc, isNumber, type Timestamp, truthy } from '../bson/value.ts';
import { writeCursorReply, writeDoc } from '../bson/write.ts';
import { fail } from '../errors.ts';
import { REPLY_HEADER } from '../wire/message.ts';
import { docOf, wholeOf } from './arguments.ts';

/** Documents come one at a time, raw; undefined is the end. A promise only where the next one has to wait. */
export type Stream = { next(): Buffer | undefined | Promise<Buffer | undefined> };

type Cursor = { id: bigint; ns: string; stream: Stream; ahead: Buffer | undefined; touched: number };

/** Bytes of documents in one reply; a single larger document goes alone. */
const MAX_BATCH = 1024 * 1024;
const FIRST_BATCH = 101;
/** An idle cursor is closed after this many milliseconds. */
const IDLE = 10 * 60 * 1000;

/** Decoded documents as a stream. */
export function docStream(docs: Iterable<Doc> | AsyncIterable<Doc> = []): Stream {
  const iterator = Symbol.iterator in docs ? docs[Symbol.iterator]() : docs[Symbol.asyncIterator]();
  return {
    async next() {
      const item = await iterator.next();
      return item.done ? undefined : writeDoc(item.value);
    },
  };
}

/** The documents of a stream, decoded. */
export async function* docsOf(stream: Stream): AsyncIterable<Doc> {
  for (let raw = await stream.next(); raw; raw = await stream.next()) yield readDoc(raw);
}

/** The time of the snapshot that a first reply is from. */
type First = { moment?: Timestamp };

/** The open cursors of clients, between their batches. */
export class Cursors {
  /** Open cursors by id. */
  readonly open = new Map<bigint, Cursor>();

  /**
   * The first reply of a stream, as long as a command's `cursor.batchSize` or `batchSize` wants it; a cursor is kept when
   * more is to come and the client does not forgo it (`singleBatch`).
   */
  async first(ns: string, stream: Stream, body: Doc, { moment }: First = {}): Promise<Buffer> {
    const asked = docOf(body.get('cursor') ?? body).get('batchSize');
    const size = isNumber(asked) ? wholeOf(asked) : FIRST_BATCH;
    const cursor: Cursor = { id: 0n, ns, stream, ahead: undefined, touched: Date.now() };
    if (truthy(body.get('noCursorTimeout'))) cursor.touched = Number.POSITIVE_INFINITY;
    const docs = size === 0 ? [] : await fill(cursor, size);
    if ((size === 0 || cursor.ahead) && !truthy(body.get('singleBatch'))) {
      cursor.id = randomBytes(8).readBigInt64LE(0) & 0x7fffffffffffffffn || 1n;
      this.open.set(cursor.id, cursor);
    }
    return writeCursorReply({ name: 'firstBatch', docs, id: cursor.id, ns, moment }, REPLY_HEADER);
  }

  /** The next reply of a cursor, with all that one reply holds where `size` is 0; throws CursorNotFound (43). */
  async next(id: bigint, ns: string, size: number): Promise<Buffer> {
    const cursor = this.open.get(id) ?? fail('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.ns !== ns) fail('Unauthorized', `getMore of '${ns}' asks for a cursor of ${cursor.ns}`);
    cursor.touched = Math.max(cursor.touched, Date.now());
    this.open.delete(id);
    const docs = await fill(cursor, size || Number.POSITIVE_INFINITY);
    if (cursor.ahead) this.open.set(id, cursor);
    return writeCursorReply({ name: 'nextBatch', docs, id: cursor.ahead ? id : 0n, ns }, REPLY_HEADER);
  }

  /** Closes idle cursors. */
  expire(now = Date.now()): void {
    for (const cursor of this.open.values()) if (now - cursor.touched > IDLE) this.open.delete(cursor.id);
  }
}

/** Takes the documents of one reply; one that does not fit is kept for the next reply. */
async function fill(cursor: Cursor, size: number): Promise<Buffer[]> {
  const docs: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const next = cursor.ahead ?? cursor.stream.next();
    const doc = next instanceof Promise ? await next : next;
    const full = doc && (docs.length >= size || (docs.length > 0 && bytes + doc.length > MAX_BATCH));
    cursor.ahead = full ? doc : undefined;
    if (!doc || full) return docs;
    docs.push(doc);
    bytes += doc.length;
  }
}

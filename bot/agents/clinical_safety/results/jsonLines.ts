import { setImmediate as breathe } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Items written or read before other work gets its turn: a few milliseconds of them. */
const AT_ONCE = 200;

/**
 * A list as gzipped JSON with one item to a line, written a part at a time, so that nobody else waits for a large one.
 * Texts in JSON hold no line ends of their own, so the lines can be told apart again.
 */
export async function packList(items: readonly unknown[]): Promise<Buffer> {
  const parts: string[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    parts.push(
      items
        .slice(at, at + AT_ONCE)
        .map((item) => JSON.stringify(item))
        .join(',\n'),
    );
    await breathe();
  }
  return pack(Buffer.from(`[\n${parts.join(',\n')}\n]`), { level: 4 });
}

/** A value as gzipped JSON. */
export const packValue = (value: unknown) => pack(JSON.stringify(value), { level: 4 }) as Promise<Buffer>;

/** The JSON text of what was packed, as bytes. */
export const unpackText = (bytes: Buffer) => unpack(bytes) as Promise<Buffer>;

/** Reads a list that {@link packList} wrote, a part at a time. */
export async function readList<T>(text: Buffer): Promise<T[]> {
  const lines = text.toString('utf8').split('\n').slice(1, -1);
  const items: T[] = [];
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const part = lines
      .slice(at, at + AT_ONCE)
      .join('')
      .replace(/,$/, '');
    items.push(...(JSON.parse(`[${part}]`) as T[]));
    await breathe();
  }
  return items;
}

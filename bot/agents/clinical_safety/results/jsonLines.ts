import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Items processed before yielding to other work; takes a few milliseconds. */
const ITEMS_PER_SLICE = 200;

/**
 * The JSON text of a list with one item per line, written in slices, so that a large list does not block other work.
 */
export async function listText(items: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_SLICE) {
    parts.push(
      items
        .slice(at, at + ITEMS_PER_SLICE)
        .map((item) => JSON.stringify(item))
        .join(',\n'),
    );
    await yieldToOthers();
  }
  return `[\n${parts.join(',\n')}\n]`;
}

/**
 * Packs a list as gzipped {@link listText}. JSON strings contain no line breaks, so {@link readList} can split the
 * lines again.
 */
export const packList = async (items: readonly unknown[]): Promise<Buffer> =>
  pack(Buffer.from(await listText(items)), { level: 4 });

/** Packs a value as gzipped JSON. */
export const packValue = (value: unknown) => pack(JSON.stringify(value), { level: 4 }) as Promise<Buffer>;

/** Unpacks the JSON text as bytes. */
export const unpackText = (bytes: Buffer) => unpack(bytes) as Promise<Buffer>;

/** Parses a list that {@link packList} wrote, in slices. */
export async function readList<T>(text: Buffer): Promise<T[]> {
  const lines = text.toString('utf8').split('\n').slice(1, -1);
  const items: T[] = [];
  for (let at = 0; at < lines.length; at += ITEMS_PER_SLICE) {
    const part = lines
      .slice(at, at + ITEMS_PER_SLICE)
      .join('')
      .replace(/,$/, '');
    items.push(...(JSON.parse(`[${part}]`) as T[]));
    await yieldToOthers();
  }
  return items;
}

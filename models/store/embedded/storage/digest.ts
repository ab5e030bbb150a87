import { crc32 } from 'node:zlib';

/** Bytes of the digest behind each value. */
const BYTES = 4;

const digestOf = (key: Buffer, value: Uint8Array): number => crc32(value, crc32(key));

/** A value with the CRC-32 of its key and itself behind it. */
export function sealed(key: Buffer, value: Buffer): Buffer {
  const out = Buffer.allocUnsafe(value.length + BYTES);
  out.set(value);
  out.writeUInt32LE(digestOf(key, value), value.length);
  return out;
}

/** The value before its digest, in the same memory; undefined where the digest is not that of this key and value. */
export function unsealed(key: Buffer, bytes: Uint8Array): Buffer | undefined {
  const size = bytes.length - BYTES;
  if (size < 0) return undefined;
  // The length of lmdb's shared buffer is not that of its memory.
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, size + BYTES);
  const value = whole.subarray(0, size);
  return whole.readUInt32LE(size) === digestOf(key, value) ? value : undefined;
}

/**
 * The layouts of stored values, kept in `meta` under the key: before the first release with digests (a file without the
 * key), while older documents and entries are given theirs, and with a digest behind every value.
 */
export const LAYOUT = { key: Buffer.from('layout'), unsealed: 0, upgrading: 1, sealed: 2 };

/** Whether a value without a digest is one from before there were digests: a document that ends where it says, or an entry. */
export function mayBeUnsealed(layout: number, table: string, bytes: Uint8Array): boolean {
  if (layout !== LAYOUT.upgrading) return layout === LAYOUT.unsealed;
  if (table === 'entries') return bytes.length === 1 && bytes[0] === 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return table === 'docs' && bytes.length > 4 && view.getInt32(0, true) === bytes.length;
}

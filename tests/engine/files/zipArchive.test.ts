import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import {
  inflateEntry,
  makeEntry,
  readPart,
  readZipDirectory,
  writeZip,
  type ZipEntry,
} from '../../../bot/engine/files/zipArchive.ts';

const codeOf = (read: () => unknown) => {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.code;
  }
};
const entryOf = (more: Partial<ZipEntry> = {}): ZipEntry => ({
  name: 'ä.xml',
  method: 0,
  crc: 0x01020304,
  size: 2,
  compressed: new Uint8Array([0x68, 0x69]),
  time: 0x1122,
  date: 0x3344,
  externalAttributes: 0x55667788,
  ...more,
});
const numbers = (size: 2 | 4, ...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(size);
      if (size === 2) bytes.writeUInt16LE(value);
      else bytes.writeUInt32LE(value);
      return bytes;
    }),
  );
/** An archive in the layout of the format (APPNOTE 4.3), with bytes before, after and between its parts. */
function archive(
  entries: ZipEntry[],
  { before = '', localExtra = '', extra = '', comment = '', ending = '', count = entries.length } = {},
): Uint8Array<ArrayBuffer> {
  let bytes = Buffer.from(before);
  let directory = Buffer.alloc(0);
  const shared = ({ name, method, time, date, crc, compressed, size }: ZipEntry) =>
    Buffer.concat([
      numbers(2, 20, 0x0800, method, time, date),
      numbers(4, crc, compressed.length, size),
      numbers(2, Buffer.byteLength(name)),
    ]);
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    directory = Buffer.concat([
      directory,
      Buffer.from('PK\u0001\u0002'),
      numbers(2, 20),
      shared(entry),
      numbers(2, extra.length, comment.length, 0, 0),
      numbers(4, entry.externalAttributes, bytes.length),
      name,
      Buffer.from(extra + comment),
    ]);
    bytes = Buffer.concat([
      bytes,
      Buffer.from('PK\u0003\u0004'),
      shared(entry),
      numbers(2, localExtra.length),
      name,
      Buffer.from(localExtra),
      entry.compressed,
    ]);
  }
  return new Uint8Array(
    Buffer.concat([
      bytes,
      directory,
      Buffer.from('PK\u0005\u0006'),
      numbers(2, 0, 0, count, count),
      numbers(4, directory.length, bytes.length),
      numbers(2, Math.min(ending.length, 65_535)),
      Buffer.from(ending),
    ]),
  );
}
/** The archive with one number replaced; a negative position counts from its end. */
function changed(bytes: Uint8Array, place: number, value: number, size: 2 | 4 = 4): Uint8Array {
  const copy = Buffer.from(bytes);
  copy.set(numbers(size, value), place < 0 ? copy.length + place : place);
  return new Uint8Array(copy);
}

describe('an archive', () => {
  const entries = [
    entryOf(),
    entryOf({ name: 'b/c.xml', method: 8, size: 9, compressed: new Uint8Array([1, 2, 3, 4, 5]), crc: 0xfedcba98 }),
  ];

  test('is written in the layout of the format', () => {
    expect(Buffer.from(writeZip(entries)).toString('hex')).toBe(Buffer.from(archive(entries)).toString('hex'));
    expect(writeZip([])).toEqual(archive([]));
  });

  test.each([
    ['as it is written', {}],
    ['with fields between', { localExtra: 'four', extra: 'three', comment: 'comment' }],
    ['with something in front', { before: 'MZ and more' }],
    ['with a comment at its end', { ending: 'a comment' }],
    ['with a comment as long as there can be', { ending: 'x'.repeat(65_535) }],
  ])('is read %s', (_how, more) => {
    expect([...readZipDirectory(archive(entries, more)).values()]).toEqual(entries);
  });

  test('is read from the middle of a buffer', () => {
    const bytes = writeZip(entries);
    const around = new Uint8Array(bytes.length + 20);
    around.set(bytes, 10);
    expect([...readZipDirectory(around.subarray(10, 10 + bytes.length)).keys()]).toEqual(['ä.xml', 'b/c.xml']);
  });

  test('leaves out folders, and accepts both slashes', () => {
    const names = (...all: string[]) => [...readZipDirectory(archive(all.map((name) => entryOf({ name })))).keys()];
    expect(names('xl/', 'xl\\a.xml', 'xl/a.xml/')).toEqual(['xl/a.xml']);
  });

  test('without entries has no parts', () => {
    expect(readZipDirectory(writeZip([])).size).toBe(0);
  });
});

describe('a damaged archive', () => {
  const one = archive([entryOf()]);
  const local = 30 + Buffer.byteLength('ä.xml') + 2;
  const reading = (bytes: Uint8Array) => codeOf(() => readZipDirectory(bytes));

  test('is intact before the damage', () => {
    expect(one).toHaveLength(local + 46 + 6 + 22);
    expect(reading(one)).toBeNull();
  });

  test.each([
    ['is cut off', one.subarray(0, one.length - 1)],
    ['is shorter than its end', one.subarray(one.length - 21)],
    ['has no bytes', new Uint8Array()],
    ['has a comment that is too long', archive([entryOf()], { ending: 'x'.repeat(65_536) })],
    ['has fewer parts than declared', archive([entryOf()], { count: 2 })],
    ['has its directory elsewhere', changed(one, -6, local + 1)],
    ['has its directory behind its end', changed(one, -6, one.length)],
    ['has its directory too near its end', changed(one, -6, one.length - 45)],
    ['has a part elsewhere', changed(one, local + 42, 1)],
    ['has a part behind its end', changed(one, local + 42, one.length - 29)],
    ['has a part that is too long', changed(one, local + 20, one.length - (local - 2) + 1)],
    ['has a part whose name is too long', changed(one, 26, one.length - 30 - 1, 2)],
    ['has a part whose fields are too long', changed(one, 28, one.length - 36 - 1, 2)],
  ])('is refused because it %s', (_what, bytes) => {
    expect(reading(bytes)).toBe('damaged_workbook');
  });

  test.each([
    ['a record of its directory', 'PK\u0001\u0002', -6, 46],
    ['the head of a part', 'PK\u0003\u0004', -32, 30],
  ])('is refused because it ends within %s', (_what, signature, place, size) => {
    // The record is in the comment behind the end of the directory.
    const ending = (length: number) => {
      const bytes = archive([entryOf()], { ending: signature + '\u0000'.repeat(length - 4) });
      return changed(bytes, place - length, bytes.length - length);
    };
    expect(reading(ending(size - 1))).toBe('damaged_workbook');
    expect(reading(ending(5))).toBe('damaged_workbook');
  });

  test('is accepted if a valid record is at its end', () => {
    const record = `PK\u0001\u0002${'\u0000'.repeat(42)}`;
    const bytes = archive([entryOf()], { ending: record });
    expect([...readZipDirectory(changed(bytes, -6 - 46, bytes.length - 46)).keys()]).toEqual(['']);
  });

  test('is read as far as its bytes go', () => {
    const bytes = changed(one, local + 20, one.length - (local - 2));
    expect(readZipDirectory(bytes).get('ä.xml')?.compressed).toHaveLength(one.length - (local - 2));
    expect(reading(changed(one, 26, one.length - 30 - 2, 2))).toBeNull();
    expect(reading(changed(one, 28, one.length - 36 - 2, 2))).toBeNull();
  });

  test('may list a part twice', () => {
    // The second part is the first one again.
    const two = archive([entryOf(), entryOf({ name: 'b.xml' })]);
    const directory = 2 * (30 + 2) + 6 + 5;
    const again = changed(two, directory + 46 + 6 + 42, 0);
    expect([...readZipDirectory(again).keys()]).toEqual(['ä.xml', 'b.xml']);
  });
});

describe('a part of an archive', () => {
  const text = 'Hazard log '.repeat(20);
  const deflated = new Uint8Array(deflateRawSync(Buffer.from(text)));
  const packed = (more: Partial<ZipEntry> = {}) =>
    entryOf({ method: 8, size: text.length, compressed: deflated, ...more });
  const inflating = (entry: ZipEntry) => codeOf(() => inflateEntry(entry));

  test('is unpacked according to its compression method', () => {
    expect(Buffer.from(inflateEntry(packed())).toString()).toBe(text);
    expect(Buffer.from(inflateEntry(entryOf())).toString()).toBe('hi');
    expect(inflateEntry(entryOf({ method: 8, size: 0, compressed: new Uint8Array([3, 0]) }))).toHaveLength(0);
  });

  test.each([
    ['of another kind', packed({ method: 9 }), 'damaged_workbook'],
    ['of random bytes', packed({ compressed: new Uint8Array([7, 7, 7, 7]) }), 'damaged_workbook'],
    ['cut off', packed({ compressed: deflated.subarray(0, 5) }), 'damaged_workbook'],
    ['smaller than declared', packed({ size: text.length + 1 }), 'damaged_workbook'],
    ['larger than declared', packed({ size: text.length - 1 }), 'zip_bomb'],
    ['larger than nothing', packed({ size: 0 }), 'zip_bomb'],
  ])('is refused if it is %s', (_what, entry, code) => {
    expect(inflating(entry)).toBe(code);
  });

  test('is read as text, and is null if missing', () => {
    const parts = new Map([['a.xml', packed()]]);
    expect(readPart(parts, 'a.xml')).toBe(text);
    expect(readPart(parts, 'b.xml')).toBeNull();
  });

  test('that is new describes its content', () => {
    const entry = makeEntry('ä.xml', 'Größe');
    expect(entry).toMatchObject({
      name: 'ä.xml',
      method: 8,
      size: 7,
      crc: crc32(Buffer.from('Größe')),
      time: 0,
      // 1 January 1980
      date: 0b0000000_0001_00001,
      externalAttributes: 0,
    });
    expect(Buffer.from(inflateEntry(entry)).toString()).toBe('Größe');
    expect(makeEntry('a', new Uint8Array([1, 2])).size).toBe(2);
    // The check value of the CRC-32 that archives use.
    expect(makeEntry('a', '123456789').crc).toBe(0xcbf43926);
  });
});

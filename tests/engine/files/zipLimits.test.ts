import { describe, expect, test } from '@jest/globals';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import { checkZip, makeEntry, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';

describe('an archive’s directory is checked before anything is unpacked', () => {
  const MB = 2 ** 20;
  /** A part that declares these sizes; its bytes are not read. */
  const part = (name: string, size: number, compressed: number) => ({
    ...makeEntry(name, ''),
    size,
    compressed: new Uint8Array(compressed),
  });
  let message = '';
  const codeOf = (...parts: ReturnType<typeof part>[]) => {
    const bytes = writeZip(parts);
    try {
      return readZipDirectory(bytes).size;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      message = error.message;
      return error.code;
    }
  };

  test('its parts may unpack to 100 MB together', () => {
    const half = part('xl/media/one.bin', 50 * MB, MB);
    expect(codeOf(half, part('xl/media/two.bin', 50 * MB, MB))).toBe(2);
    expect(codeOf(half, part('xl/media/two.bin', 50 * MB + 1, MB))).toBe('zip_bomb');
    expect(message).toContain('This workbook would unpack to 100 MB or more; at most 100 MB are read.');
    // Sheets that are too long are not an attack.
    expect(codeOf(half, part('xl/worksheets/sheet1.xml', 50 * MB + 1, MB))).toBe('too_many_cells');
    expect(message).toContain('The sheets of this workbook unpack to 100 MB or more; at most 100 MB are read.');
    expect(codeOf(half, part('xl/media/two.bin', 101.6 * MB, MB))).toBe('zip_bomb');
    expect(message).toContain('would unpack to 152 MB or more');
  });

  test('a part may unpack to 200 times its size, and a small one to more', () => {
    expect(codeOf(part('a.xml', 20_000 * 200, 20_000))).toBe(1);
    expect(codeOf(part('a.xml', 20_000 * 200 + 1, 20_000))).toBe('zip_bomb');
    expect(codeOf(part('a.xml', MB, 10))).toBe(1);
    expect(codeOf(part('a.xml', MB + 1, 10))).toBe('zip_bomb');
  });

  test('it may have 2,000 parts, each inside the archive', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => part(`p${at}`, 0, 0));
    expect(codeOf(...many(2000))).toBe(2000);
    expect(codeOf(...many(2001))).toBe('zip_bomb');
    for (const name of ['/etc/passwd', '..\\up.xml', 'xl/../../up.xml'])
      expect(codeOf(part(name, 1, 1))).toBe('zip_bomb');
    expect(codeOf(part('xl/a..b.xml', 1, 1))).toBe(1);
  });

  test('its parts may not share bytes, which would multiply where it is written anew', () => {
    const bytes = Buffer.from(writeZip([part('a.xml', 1, 1000), part('b.xml', 1, 10)]));
    const second = bytes.lastIndexOf('PK\u0001\u0002');
    bytes.writeUInt32LE(1000, second + 20);
    bytes.writeUInt32LE(0, second + 42);
    expect(() => readZipDirectory(bytes)).toThrow(expect.objectContaining({ code: 'zip_bomb' }));
  });
});

describe('an archive for a library that takes its word for sizes', () => {
  const parts = () => [makeEntry('a.xml', 'one '.repeat(500)), makeEntry('b.xml', 'two')];
  const codeOf = (entries: ReturnType<typeof parts>) => {
    try {
      return checkZip(writeZip(entries));
    } catch (error) {
      return (error as FileError).code;
    }
  };

  test('is the same one, where its parts unpack to what it declares', () => {
    expect(codeOf(parts())).toEqual(writeZip(parts()));
  });

  test('is refused, where a part unpacks to more or less', () => {
    const [one, two] = parts() as [ReturnType<typeof makeEntry>, ReturnType<typeof makeEntry>];
    expect(codeOf([{ ...one, size: one.size - 1 }, two])).toBe('zip_bomb');
    expect(codeOf([{ ...one, size: one.size + 1 }, two])).toBe('damaged_workbook');
    const stored = { ...two, method: 0, compressed: Buffer.from('two') };
    expect(codeOf([one, stored])).toEqual(writeZip([one, stored]));
    expect(codeOf([one, { ...stored, size: 2 }])).toBe('damaged_workbook');
  });
});

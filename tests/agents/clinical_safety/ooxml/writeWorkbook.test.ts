import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import {
  type SheetTable,
  withFixedDates,
  writeWorkbook,
} from '../../../../bot/agents/clinical_safety/ooxml/writeWorkbook.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../../../bot/engine/files/zipArchive.ts';

const tableOf = (more: Partial<SheetTable> = {}): SheetTable => ({
  name: 'Sheet',
  notes: [],
  headers: ['A', 'B'],
  rows: [],
  widths: [10, 20],
  ...more,
});
async function written(...tables: SheetTable[]): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load((await writeWorkbook(tables)).buffer);
  return workbook;
}
const sheetOf = async (more: Partial<SheetTable>) => (await written(tableOf(more))).getWorksheet(1)!;
/** The values of a sheet, row by row. */
const valuesOf = (sheet: ExcelJS.Worksheet) =>
  Array.from({ length: sheet.rowCount }, (_, at) => (sheet.getRow(at + 1).values as unknown[]).slice(1));
const heightsOf = async (rows: (string | number)[][], widths = [10, 20]) => {
  const sheet = await sheetOf({ rows, widths });
  return rows.map((_, at) => sheet.getRow(at + 2).height / 15);
};

describe('a workbook from tables', () => {
  test('has a sheet for each, with its headings in the first row', async () => {
    const workbook = await written(
      tableOf({
        name: 'One',
        rows: [
          ['x', 3],
          ['', 0],
          ['=1+1', 'y'],
        ],
      }),
      tableOf({ name: 'Two', headers: ['C'], rows: [['z']] }),
    );
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['One', 'Two']);
    expect(workbook.worksheets.map(valuesOf)).toEqual([
      [
        ['A', 'B'],
        ['x', 3],
        [undefined, 0],
        ['=1+1', 'y'],
      ],
      [['C'], ['z']],
    ]);
    // A text that looks like a formula stays a text.
    expect(workbook.getWorksheet('One')?.getCell('A4').type).toBe(ExcelJS.ValueType.String);
    expect(workbook.getWorksheet('One')?.getCell('A3').type).toBe(ExcelJS.ValueType.Null);
  });

  test('has its notes on top, the first as a title, and a blank row below them', async () => {
    const sheet = await sheetOf({ notes: ['Title', 'Read this'], rows: [['x', 'y']] });
    expect(valuesOf(sheet)).toEqual([['Title'], ['Read this'], [], ['A', 'B'], ['x', 'y']]);
    expect(sheet.getCell('A1').font).toEqual({ name: 'Calibri', bold: true, size: 14 });
    expect(sheet.getCell('A2').font?.bold).toBeFalsy();
    expect(sheet.getCell('A4').font).toEqual({ name: 'Calibri', bold: true, size: 11 });
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 4 });
  });

  test('freezes its headings, and wraps long texts', async () => {
    const sheet = await sheetOf({ rows: [['x', 'y']] });
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    expect(sheet.getCell('B1')).toMatchObject({
      font: { name: 'Calibri', bold: true, size: 11 },
      alignment: { vertical: 'top', wrapText: true },
    });
    expect(sheet.getCell('B2').alignment).toEqual({ vertical: 'top', wrapText: true });
    expect(sheet.getCell('B2').font?.bold).toBeFalsy();
    expect([sheet.getColumn(1).width, sheet.getColumn(2).width]).toEqual([10, 20]);
  });

  test('without headings freezes nothing, and has its rows below the notes', async () => {
    const sheet = await sheetOf({ headers: [], notes: ['Title'], rows: [['x']] });
    expect(valuesOf(sheet)).toEqual([['Title'], [], [], ['x']]);
    expect(sheet.views ?? []).toEqual([]);
  });

  test('has rows as high as their longest text needs, up to a screenful', async () => {
    const long = (length: number) => 'x'.repeat(length);
    expect(
      await heightsOf([
        ['x', 'y'],
        [long(10), long(20)],
        [long(11), long(20)],
        [long(20), long(21)],
        [long(21), 'y'],
        ['x', long(61)],
        ['a\nb\nc', 'y'],
        [`a\n\n${long(11)}`, 'y'],
        [12345678901, 'y'],
        [long(140), 'y'],
        [long(141), 'y'],
        [long(900), 'y'],
      ]),
    ).toEqual([1, 1, 2, 2, 3, 4, 3, 4, 2, 14, 14, 14]);
    // A column counts as eight characters at least, and as twelve if its width is not given.
    expect(await heightsOf([[long(8)], [long(9)]], [3])).toEqual([1, 2]);
    expect(
      await heightsOf(
        [
          ['x', long(12)],
          ['x', long(13)],
        ],
        [10],
      ),
    ).toEqual([1, 2]);
  });

  test('has the same bytes each time, and says who wrote it and when', async () => {
    const tables = [tableOf({ notes: ['Title'], rows: [['x', 3]] })];
    const [first, second] = [await writeWorkbook(tables), await writeWorkbook(tables)];
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
    const { creator, lastModifiedBy, created, modified } = await written(...tables);
    expect([creator, lastModifiedBy]).toEqual(['Arc', 'Arc']);
    expect([created, modified]).toEqual([new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:00:00Z')]);
  });
});

test('a package has one date for all parts, which are otherwise unchanged', () => {
  const entry = { ...makeEntry('a.xml', 'text'), time: 0x1122, date: 0x3344, externalAttributes: 5 };
  const [dated] = readZipDirectory(withFixedDates(writeZip([entry]))).values();
  // 1 January 1980, midnight
  expect(dated).toEqual({
    ...entry,
    compressed: new Uint8Array(entry.compressed),
    time: 0,
    date: 0b0000000_0001_00001,
  });
});

import { readZipDirectory, writeZip } from '../../../engine/files/zipArchive.ts';
import { MAX_TEXT_LENGTH } from './cellAddress.ts';

export type SheetTable = {
  name: string;
  /** Lines above the table: a title and explanations. */
  notes: string[];
  headers: string[];
  /** Numbers stay numbers; everything else is text, never a formula. */
  rows: (string | number)[][];
  widths: number[];
};

/** The date in every new workbook, so that the same tables give the same bytes. */
const FIXED_DAY = new Date(Date.UTC(2020, 0, 1));
const FIXED_ZIP_DATE = 0x0021;

const FONT = 'Calibri';
const LINE_HEIGHT = 15;
const MAX_LINES = 14;

/** The height of a row with wrapped text, up to a limit. Not every program computes it on opening. */
function heightOf(row: (string | number)[], widths: number[]): number {
  let lines = 1;
  for (const [column, value] of row.entries()) {
    const width = Math.max(8, widths[column] ?? 12);
    const own = String(value)
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
    lines = Math.max(lines, own);
  }
  return Math.min(lines, MAX_LINES) * LINE_HEIGHT;
}

/** Excel calls a file damaged that has a longer text in a cell. */
const fitting = (value: string | number) => (typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value);

/** Replaces the dates of a package's parts, because the library's time stamps would differ in every run. */
export function withFixedDates(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return writeZip([...readZipDirectory(bytes).values()].map((entry) => ({ ...entry, time: 0, date: FIXED_ZIP_DATE })));
}

/** Writes a new workbook with the given tables. exceljs is loaded on first use. */
export async function writeWorkbook(tables: SheetTable[]): Promise<Uint8Array<ArrayBuffer>> {
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.Workbook();
  Object.assign(workbook, { creator: 'Arc', lastModifiedBy: 'Arc', created: FIXED_DAY, modified: FIXED_DAY });
  for (const { name, notes, headers, rows, widths } of tables) {
    const headerRow = notes.length > 0 ? notes.length + 2 : 1;
    const sheet = workbook.addWorksheet(name, {
      views: headers.length > 0 ? [{ state: 'frozen', ySplit: headerRow }] : [],
    });
    sheet.columns = widths.map((width) => ({ width }));
    for (const [at, note] of notes.entries()) sheet.getCell(at + 1, 1).value = note;
    if (notes.length > 0) sheet.getCell(1, 1).font = { name: FONT, bold: true, size: 14 };
    if (headers.length > 0) {
      const heading = sheet.getRow(headerRow);
      for (const [at, text] of headers.entries()) heading.getCell(at + 1).value = text;
      heading.font = { name: FONT, bold: true, size: 11 };
      heading.alignment = { vertical: 'top', wrapText: true };
      heading.commit();
    }
    for (const [at, row] of rows.entries()) {
      const cells = sheet.getRow(headerRow + 1 + at);
      for (const [column, text] of row.entries()) if (text !== '') cells.getCell(column + 1).value = fitting(text);
      cells.alignment = { vertical: 'top', wrapText: true };
      cells.height = heightOf(row, widths);
      cells.commit();
    }
  }
  return withFixedDates(new Uint8Array(await workbook.xlsx.writeBuffer()));
}

import { FileError } from '../../../engine/files/fileError.ts';
import { checkZip } from '../../../engine/files/zipArchive.ts';
import { decodeText, type Rows, readCsv } from './readCsv.ts';

/** A table as it was given, wherever it comes from: a file today, a connected tool later. */
export type Table = { name: string; rows: Rows };

/** Larger lists are refused: nobody approves so many drafts one by one. */
const MAX = { rows: 2_000, columns: 60, cell: 2_000 };

function within({ name, rows }: Table): Table {
  if (rows.length > MAX.rows + 1)
    throw new FileError('too_long', `The list has ${rows.length - 1} rows, and ${MAX.rows} can be read. Split it.`);
  return { name, rows: rows.map((row) => row.slice(0, MAX.columns).map((cell) => cell.slice(0, MAX.cell))) };
}

async function readWorkbook(bytes: Uint8Array): Promise<Table[]> {
  const checked = checkZip(bytes);
  // It takes long to load, and a list of text needs none of it.
  const { Workbook } = (await import('exceljs')).default;
  const book = new Workbook();
  await book.xlsx.load(checked as never);
  return book.worksheets
    .filter(({ state }) => state === 'visible')
    .map((sheet) => {
      const rows: Rows = [];
      sheet.eachRow((row) => {
        const cells = Array.from({ length: Math.min(row.cellCount, MAX.columns) }, (_, at) => row.getCell(at + 1).text);
        if (cells.some((cell) => cell.trim() !== '')) rows.push(cells.map((cell) => cell.trim()));
      });
      return { name: sheet.name, rows };
    });
}

/**
 * The tables of a file: each visible sheet of a workbook, or the one of a text.
 * @throws FileError unreadable, too_long, and those of an archive beyond the limits
 */
export async function readTables(name: string, bytes: Uint8Array): Promise<Table[]> {
  if (!/\.xls[xm]$/i.test(name)) return [within({ name, rows: readCsv(decodeText(bytes)) })];
  let tables: Table[];
  try {
    tables = await readWorkbook(bytes);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError('unreadable', `${name} can’t be read. Save it again as .xlsx or .csv.`);
  }
  return tables.map(within);
}

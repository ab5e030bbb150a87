import { cellAddress } from '../ooxml/cellAddress.ts';
import { type SheetTable, writeWorkbook } from '../ooxml/writeWorkbook.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { openFile } from '../reading/openFile.ts';
import { CHANGE_LOG, CHANGE_LOG_TITLE } from '../reading/ownSheets.ts';
import { CHANGE_LOG_HEADERS, CHANGE_LOG_NOTE, CHANGE_LOG_WIDTHS } from './changeLog.ts';
import { type ComparedRows, describeNewWorkbook } from './describeMerge.ts';
import type { MergedFile } from './layOut.ts';
import type { PlannedAddition } from './planAdditions.ts';
import type { RowValues } from './rowValues.ts';

const FORMATS: Record<string, string> = {
  xls: 'an old .xls workbook',
  csv: 'a CSV file',
  markdown: 'a text in Markdown',
  html: 'a web page saved as a spreadsheet',
  docx: 'a Word document',
};

/**
 * Writes a new workbook for a log whose format can't be patched. The workbook says so, what it leaves out, and whether
 * the rows of the log are in it unchanged: it is read again and compared with them.
 * @param additions causes and controls for hazards of the log, in their cells of the new workbook
 */
export async function writeNewWorkbook(
  log: ReadLog,
  rows: RowValues[],
  decisions: string[][],
  additions: readonly PlannedAddition[],
): Promise<Pick<MergedFile, 'bytes' | 'changes'>> {
  const { grid, columns: known } = log.whole.table;
  const { headerRows } = log.table;
  const header = headerRows.at(-1) ?? 1;
  const width = grid.rows.reduce((widest, row) => Math.max(widest, row ? row.length - 1 : 0), 1);
  const columns = Array.from({ length: width }, (_, at) => at + 1);
  const textAt = (row: number, column: number) => grid.rows[row]?.[column]?.text ?? '';
  const grownCells = new Map(additions.flatMap(({ cells }) => cells.map(({ cell, after }) => [cell, after] as const)));
  // "0101" stays text and 3 stays a number, so that the new workbook sorts and calculates like the original.
  const valueAt = (row: number, column: number, newRow: number) => {
    const grown = grownCells.get(cellAddress(newRow, column));
    if (grown !== undefined) return grown;
    const cell = grid.rows[row]?.[column];
    return cell?.number != null && String(cell.number) === cell.text.trim() ? cell.number : textAt(row, column);
  };
  const existing = keptRows(log).map((row, at) => columns.map((column) => valueAt(row, column, FIRST_ROW + at)));
  const byColumn = new Map(known.map(({ canonical, column }) => [column, canonical]));
  const added = rows.map((values) =>
    columns.map((column) => {
      const canonical = byColumn.get(column);
      return canonical && log.columnOf(canonical) === column ? (values.get(canonical) ?? '') : '';
    }),
  );
  const headers = columns.map((column) => {
    const joined = known.find((it) => it.column === column)?.header ?? '';
    const own = textAt(header, column) || textAt(header - 1, column) || joined;
    const group = headerRows.length > 1 && textAt(header, column) ? groupAbove(log, column) : '';
    return group && !own.toLowerCase().startsWith(group.toLowerCase()) ? `${group} ${own}` : own;
  });
  const write = async (compared: ComparedRows) => {
    const changes = describeNewWorkbook(log, existing.length, compared);
    const about = `This workbook is new. The log came as ${log.isPutTogether ? 'cards or a table on its side' : (FORMATS[log.shape.format] ?? 'another format')} (${log.fileName}), which can’t take rows without losing its layout. ${changes.join(' ')}`;
    const tables: SheetTable[] = [
      { name: HAZARD_LOG, notes: [], headers, rows: [...existing, ...added], widths: columns.map(() => 28) },
      {
        name: CHANGE_LOG,
        notes: [CHANGE_LOG_TITLE, CHANGE_LOG_NOTE, changes.join(' ')],
        headers: CHANGE_LOG_HEADERS,
        rows: decisions,
        widths: CHANGE_LOG_WIDTHS,
      },
      { name: 'About this file', notes: ['About this file', about], headers: [], rows: [], widths: [120] },
    ];
    return { bytes: await writeWorkbook(tables), changes };
  };
  const cells = existing.flat().filter((value) => !isBlank(value)).length;
  const written = await write({ cells, different: [] });
  const different = await findDifferent(written.bytes, existing);
  // Written again with the list of what the workbook leaves out, which is known only now.
  return different.length === 0 ? written : write({ cells, different });
}

/** The sheet of a new workbook that has the log. */
export const HAZARD_LOG = 'Hazard log';
/** Its headings are in row 1. */
const FIRST_ROW = 2;

/** The rows of the whole log that a new workbook has, in its order: those of the first table, then of later ones. */
function keptRows({ table, whole, shape }: ReadLog): number[] {
  const from = (first: number, end: number) => Array.from({ length: end - first }, (_, at) => first + at);
  return [
    ...from((table.headerRows.at(-1) ?? 1) + 1, shape.lastDataRow + 1),
    ...from(table.grid.rows.length, whole.table.grid.rows.length),
  ];
}

/** The row of a new workbook under those of the log. */
export const firstFreeRow = (log: ReadLog): number => FIRST_ROW + keptRows(log).length;

/** Causes and controls with their cells where a new workbook has them: it has the rows of all tables in one sheet. */
export function placeAnew(log: ReadLog, additions: readonly PlannedAddition[]): PlannedAddition[] {
  const rowOf = new Map(keptRows(log).map((row, at) => [row, FIRST_ROW + at]));
  return additions.map((addition) => ({
    ...addition,
    cells: addition.cells.map((cell) => ({
      ...cell,
      sheet: HAZARD_LOG,
      cell: cellAddress(rowOf.get(cell.row) ?? cell.row, cell.column),
    })),
  }));
}

const isBlank = (value: string | number) => String(value).trim() === '';
/** A workbook knows one kind of line break. */
const plain = (value: string | number) => String(value).replace(/\r\n?/g, '\n');

/** The cells whose text is not that of the log, by their place in the new workbook. */
async function findDifferent(bytes: Uint8Array, existing: (string | number)[][]): Promise<string[]> {
  const { grids } = await openFile(bytes, 'merged.xlsx');
  const rows = grids.find(({ name }) => name === HAZARD_LOG)?.rows ?? [];
  return existing.flatMap((values, at) =>
    values.flatMap((value, column) =>
      isBlank(value) || rows[FIRST_ROW + at]?.[column + 1]?.text === plain(value)
        ? []
        : [cellAddress(FIRST_ROW + at, column + 1)],
    ),
  );
}

function groupAbove(log: ReadLog, column: number): string {
  const row = log.table.grid.rows[log.table.headerRows[0] ?? 1] ?? [];
  for (let at = column; at >= 1; at -= 1) {
    const text = row[at]?.text.trim();
    if (text) return text;
  }
  return '';
}

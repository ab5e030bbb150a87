import type { CanonicalColumn, Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import { isBelowLog, isNextId, startsList } from './belowLog.ts';
import { partOfCell } from './combinedRatings.ts';
import type { FoundTable } from './findTable.ts';
import type { ReadLog } from './logModel.ts';
import { readTypes } from './trackerRows.ts';

type Cells = Pick<ReadLog, 'cell' | 'text' | 'textsOf' | 'place' | 'has' | 'columnOf'>;

/** Cells of the table by canonical name; a merged cell answers with what its first cell says. */
export function tableCells(table: FoundTable): Cells {
  const { grid, columns } = table;
  const byName = new Map<CanonicalColumn, number>();
  const all = new Map<CanonicalColumn, number[]>();
  const parts = new Map<CanonicalColumn, number>();
  for (const { canonical, column, part } of columns) {
    if (!byName.has(canonical)) byName.set(canonical, column);
    if (part !== undefined) parts.set(canonical, part);
    all.set(canonical, [...(all.get(canonical) ?? []), column]);
  }
  const masters = mergedMasters(grid, table.headerRows.at(-1) ?? 0);
  const at = (row: number, column: number): GridCell | undefined => {
    const own = grid.rows[row]?.[column];
    if (own || masters.size === 0) return own;
    const master = masters.get(row * 16_384 + column);
    return master ? grid.rows[master.row]?.[master.column] : undefined;
  };
  const cell: Cells['cell'] = (row, name) => {
    const column = byName.get(name);
    if (column === undefined) return undefined;
    const part = parts.get(name);
    return part === undefined ? at(row, column) : partOfCell(at(row, column), part);
  };
  return {
    cell,
    text: (row, name) => cell(row, name)?.text.trim() ?? '',
    textsOf: (row, name) =>
      (all.get(name) ?? []).flatMap((column) => {
        const text = at(row, column)?.text.trim();
        return text ? [{ text, place: placeIn(grid, row, column) }] : [];
      }),
    place: (row, name) => placeIn(grid, row, byName.get(name) ?? columns[0]?.column ?? 1),
    has: (name) => byName.has(name),
    columnOf: (name) => byName.get(name) ?? null,
  };
}

/** Where a cell stands in the file: that of its origin, where the grid was put together from others. */
function placeIn(grid: Grid, row: number, column: number): Place {
  const cells = grid.rows[row] ?? [];
  const origin = cells[column]?.origin ?? cells.find((cell) => cell?.origin)?.origin;
  return origin ?? { sheet: grid.name, cell: cellAddress(row, column) };
}

/** At most this many merged cells are resolved; further ones are read as single cells. */
const MOST_MERGED = 500_000;

function mergedMasters(grid: Grid, headerRow: number): Map<number, { row: number; column: number }> {
  const masters = new Map<number, { row: number; column: number }>();
  let room = MOST_MERGED;
  for (const { top, left, bottom, right } of grid.merges) {
    const size = (bottom - top + 1) * (right - left + 1);
    if (top <= headerRow || size > 20_000 || size > room) continue;
    room -= size;
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1)
        masters.set(row * 16_384 + column, { row: top, column: left });
  }
  return masters;
}

/** What a row says of a hazard besides its id and its ratings. */
export const SAYS_WHAT: readonly CanonicalColumn[] = [
  'name',
  'description',
  'clinical_impact',
  'cause',
  'existing_controls',
  'control_text',
  'control_design',
];
/** A row with only one of these adds a cause or control to the hazard above. */
const CONTINUES_ALONE: CanonicalColumn[] = ['cause', 'control_text', 'control_design', 'existing_controls'];
/** These need another value beside them. */
const CONTINUES: CanonicalColumn[] = [
  'cause',
  'control_text',
  'cause_id',
  'control_id',
  'action',
  'control_design',
  'existing_controls',
];
/** After this many blank rows the log has ended: dropdown lists often hide hundreds of rows below. */
const GAP = 30;

/** The rows of the log: each has an id or a name and something beside it, or goes on with the hazard above. */
export function findDataRows(table: FoundTable, cells: Cells): number[] {
  const { grid, columns } = table;
  const first = (table.headerRows.at(-1) ?? 0) + 1;
  const filled = (row: number) =>
    columns.reduce((count, { column }) => count + (grid.rows[row]?.[column]?.text.trim() ? 1 : 0), 0);
  /** The columns of the small list below the log that a row belongs to; 0 where it belongs to none. */
  const listColumnsAt = (row: number, above: readonly number[], listed: number): number => {
    const texts = (grid.rows[row] ?? []).map((cell) => cell?.text.trim() ?? '');
    const begins = startsList(texts);
    if (begins > 0 || listed === 0) return begins;
    const ids = above.map((known) => cells.text(known, 'id'));
    return texts.filter(Boolean).length <= listed && !isNextId(cells.text(row, 'id'), ids) ? listed : 0;
  };
  const { isOther } = readTypes(table);
  const rows: number[] = [];
  let gap = 0;
  let listed = 0;
  const end = Math.min(grid.rows.length, table.endRow ?? Number.POSITIVE_INFINITY);
  for (let row = first; row < end && gap < GAP; row += 1) {
    if (isHeading(table, row) || isOther(row)) continue;
    listed = rows.length === 0 ? 0 : listColumnsAt(row, rows, listed);
    if (listed > 0) {
      gap += 1;
      continue;
    }
    const saying = SAYS_WHAT.some((name) => cells.text(row, name));
    const named = cells.text(row, 'id') !== '' || cells.text(row, 'name') !== '';
    const whole =
      named &&
      saying &&
      (filled(row) >= 2 || columns.length <= 2) &&
      !isBelowLog(cells.text(row, 'id') || cells.text(row, 'name'), filled(row));
    // A merged id or name answers in each of its rows: those below the first go on with it.
    const goesOn = !columns.some(
      ({ canonical, column }) => (canonical === 'id' || canonical === 'name') && grid.rows[row]?.[column]?.text.trim(),
    );
    const onward =
      goesOn &&
      rows.length > 0 &&
      gap === 0 &&
      (CONTINUES_ALONE.some((name) => cells.textsOf(row, name).length > 0) ||
        (CONTINUES.some((name) => cells.text(row, name)) && filled(row) >= 2));
    const unnamed = !named && cells.text(row, 'description') !== '' && filled(row) >= 3;
    if (whole || unnamed || onward) {
      rows.push(row);
      gap = 0;
    } else gap += 1;
  }
  return rows;
}

/** Whether a cell repeats a heading, whatever its white space. Few begin like it, so few are read whole. */
function repeats(text: string, header: string): boolean {
  return text.trimStart().startsWith(header.slice(0, 1)) && text.replace(/\s+/g, ' ').trim() === header;
}

/** A row that repeats the headings, as on each page of a printed log. */
function isHeading({ grid, columns }: FoundTable, row: number): boolean {
  const cells = grid.rows[row];
  const repeated = columns.filter(({ header, column }) => {
    const text = cells?.[column]?.text;
    return text !== undefined && repeats(text, header);
  });
  return columns.length > 1 && repeated.length > columns.length / 2;
}

import type { LogShape, Unread } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { counted } from '../counted.ts';
import { cellAddress, columnLetters } from '../ooxml/cellAddress.ts';
import type { Grid, GridRow } from '../ooxml/sheetScanner.ts';
import { idPrefix, idsIn } from './idForm.ts';
import type { TablePart } from './joinTables.ts';
import type { LogHazard } from './logModel.ts';
import type { TextLines } from './markdownLines.ts';
import { isChangeLog } from './ownSheets.ts';
import { riskNumber, sameId } from './readHazards.ts';
import { rowKey } from './records.ts';

/** At most this many entries of each kind are listed. */
const MAX_LISTED = 200;
/** A row is named by at most this many characters of its first cell. */
const MAX_LABEL = 80;
type Read = {
  grids: Grid[];
  /** The tables that hazards were read from, with their rows. */
  parts: readonly TablePart[];
  /** The lines of a file that is a text; null for any other. */
  text: TextLines | null;
  /** Rows of sheets that records were read from, as rowKey names them; empty for a log in rows. */
  readRows: ReadonlySet<string>;
  hazards: LogHazard[];
  matrix: LogShape['matrix'];
  versions: LogShape['versions'];
  /** Sheets that look like hazard logs too. */
  others: string[];
  /** Sheets of causes or controls that the hazards were given by ids. */
  linked?: ReadonlyMap<string, string>;
  /** Columns of the first table that were read besides those of a known heading. */
  read?: ReadonlySet<number>;
};

function firstText(row: GridRow | undefined): { text: string; column: number } | null {
  for (const [column, cell] of (row ?? []).entries()) {
    const text = cell?.text.trim();
    if (text) return { text: text.replace(/\s+/g, ' ').slice(0, MAX_LABEL), column };
  }
  return null;
}

const isRead = (grid: Grid, row: number, readRows: ReadonlySet<string>) => readRows.has(rowKey(grid.name, row));

const hasRead = (grid: Grid, readRows: ReadonlySet<string>) =>
  readRows.size > 0 && grid.rows.some((_, row) => isRead(grid, row, readRows));

/** Rows of sheets with records that belong to none, each run of neighbours once. */
const unreadOfRecords = ({ grids, readRows }: Read): Unread[] =>
  grids
    .filter((grid) => hasRead(grid, readRows))
    .flatMap((grid) => runsOf(grid, (row) => isRead(grid, row, readRows), ROWS));

/** Lines of a text that belong neither to a table nor to a card that was read. */
const unreadLines = ({ text, readRows }: Read): Unread[] =>
  text
    ? runsOf(
        text.lines,
        (line) => text.tableLines.has(line) || isRead(text.lines, text.fieldOf.get(line) ?? line, readRows),
        text.unit === 'line' ? LINES : PARAGRAPHS,
      )
    : [];

/** The lines of a text outside its tables, which are grids of their own. */
const proseOf = ({ lines, tableLines }: TextLines): Grid => ({
  ...lines,
  rows: lines.rows.map((cells, line) => (tableLines.has(line) ? undefined : cells)),
});

/** Sheets with content other than the log's, each with its use. */
function unreadSheets({ grids, parts, readRows, matrix, versions, others, linked }: Read): Unread[] {
  return grids.flatMap((grid): Unread[] => {
    if (parts.some(({ table }) => table.grid === grid) || isChangeLog(grid) || hasRead(grid, readRows)) return [];
    const rows = grid.rows.filter((row) => firstText(row) !== null).length;
    if (rows === 0) return [];
    const note = [
      counted(rows, 'row'),
      ...(matrix.place?.sheet === grid.name ? ['read for the risk matrix alone'] : []),
      ...(versions.some(({ place }) => place?.sheet === grid.name) ? ['read for the version alone'] : []),
      ...(linked?.has(grid.name) ? [`read for ${linked.get(grid.name)} alone`] : []),
      ...(others.includes(grid.name) ? ['looks like a hazard log too'] : []),
      ...(grid.hidden ? ['hidden'] : []),
    ].join(', ');
    return [{ what: 'sheet', label: grid.name, note, place: { sheet: grid.name, cell: 'A1' } }];
  });
}

/** Columns of the log whose heading stands for nothing known, and those that have no heading. */
function unreadColumns(
  { table, dataRows }: TablePart,
  alsoRead: ReadonlySet<number>,
  matrix: LogShape['matrix'],
): Unread[] {
  const { grid, columns, unmatched, headerRows } = table;
  const headerRow = headerRows.at(-1) ?? 1;
  const filled = new Map<number, number>();
  for (const row of dataRows)
    for (const [column, cell] of (grid.rows[row] ?? []).entries())
      if (cell?.text.trim()) filled.set(column, (filled.get(column) ?? 0) + 1);
  const headings = new Map(unmatched.map(({ column, header }) => [column, header]));
  // A risk in words alone is kept in the log, and compared with nothing.
  const inWords = columns.filter(
    ({ canonical, column }) =>
      !matrix.levels &&
      canonical.endsWith('_risk') &&
      filled.has(column) &&
      dataRows.every((row) => {
        const cell = grid.rows[row]?.[column];
        return !cell || riskNumber(cell) === null;
      }),
  );
  for (const { column, header } of inWords) headings.set(column, `${header} (words without a number)`);
  const words = new Set(inWords.map(({ column }) => column));
  const read = new Set([...columns.map(({ column }) => column).filter((column) => !words.has(column)), ...alsoRead]);
  return [...new Set([...headings.keys(), ...filled.keys()])]
    .filter((column) => !read.has(column))
    .sort((one, other) => one - other)
    .map((column) => {
      const cells = counted(filled.get(column) ?? 0, 'filled cell');
      // Of records each text stands elsewhere: the first is named.
      const origin = dataRows.map((row) => grid.rows[row]?.[column]?.origin).find(Boolean);
      return {
        what: 'column',
        label: headings.get(column) ?? 'no heading',
        note: origin ? cells : `column ${columnLetters(column)}, ${cells}`,
        place: origin ?? { sheet: grid.name, cell: cellAddress(headerRow, column) },
      };
    });
}

/** What the rows of a grid are in the file. */
type RowWords = { one: string; many: string };
const ROWS: RowWords = { one: 'row', many: 'rows' };
const LINES: RowWords = { one: 'line', many: 'lines' };
const PARAGRAPHS: RowWords = { one: 'paragraph', many: 'paragraphs' };

/** Runs of rows with content that nothing was read from. */
function runsOf(grid: Grid, isKnown: (row: number) => boolean, words: RowWords): Unread[] {
  const runs: { first: number; last: number; label: string; column: number }[] = [];
  let open = false;
  for (let row = 1; row < grid.rows.length; row += 1) {
    if (isKnown(row)) {
      open = false;
      continue;
    }
    const text = firstText(grid.rows[row]);
    if (!text) continue;
    const run = open ? runs.at(-1) : undefined;
    if (run) run.last = row;
    else runs.push({ first: row, last: row, label: text.text, column: Math.max(1, text.column) });
    open = true;
  }
  return runs.map(({ first, last, label, column }) => ({
    what: 'rows',
    label,
    note: first === last ? `${words.one} ${first}` : `${words.many} ${first} to ${last}`,
    place: { sheet: grid.name, cell: cellAddress(first, column) },
  }));
}

/** The tables of each sheet. */
function partsBySheet(parts: readonly TablePart[]): TablePart[][] {
  const sheets = new Map<Grid, TablePart[]>();
  for (const part of parts) sheets.set(part.table.grid, [...(sheets.get(part.table.grid) ?? []), part]);
  return [...sheets.values()];
}

/** Rows of the log's sheet that say something and belong to no hazard; neighbours are listed together. */
function unreadRows(parts: readonly TablePart[]): Unread[] {
  const table = parts[0]?.table;
  if (!table) return [];
  const known = new Set(parts.flatMap((part) => [...part.table.headerRows, ...part.dataRows]));
  return runsOf(table.grid, (row) => known.has(row), ROWS);
}

/**
 * Texts in the form of the log's ids that are the id of no hazard that was read, with the first place that names it.
 */
function unreadIds({ grids, text, hazards }: Read): Unread[] {
  const prefixes = new Set(hazards.flatMap(({ id, hasId }) => (hasId ? (idPrefix(id) ?? []) : [])));
  if (prefixes.size === 0) return [];
  const read = new Set(hazards.flatMap(({ id, furtherIds = [] }) => [id, ...furtherIds].map(sameId)));
  const found = new Map<string, { id: string; place: Unread['place']; times: number }>();
  for (const grid of [...grids, ...(text ? [proseOf(text)] : [])]) {
    if (isChangeLog(grid)) continue;
    for (const [row, cells] of grid.rows.entries())
      for (const [column, cell] of (cells ?? []).entries()) {
        if (!cell || !/\d/.test(cell.text)) continue;
        for (const { id, prefix } of idsIn(cell.text)) {
          if (!prefixes.has(prefix)) continue;
          // A single letter and a number mean many things in a sentence; alone in a cell they are an id.
          if (read.has(sameId(id)) || (prefix.length < 2 && cell.text.trim() !== id)) continue;
          const known = found.get(sameId(id));
          if (known) known.times += 1;
          else found.set(sameId(id), { id, place: { sheet: grid.name, cell: cellAddress(row, column) }, times: 1 });
        }
      }
  }
  return [...found.values()].map(({ id, place, times }) => ({
    what: 'id',
    label: id,
    note: times === 1 ? 'named once' : `named ${times} times`,
    place,
  }));
}

/**
 * Everything in the file that no hazard was read from: sheets, columns, rows, and what looks like the id of a hazard.
 * Pictures, comments and text boxes are no cells, and are not listed.
 */
export const findUnread = (read: Read): Unread[] =>
  [
    unreadSheets(read),
    read.parts.flatMap((part, at) => unreadColumns(part, at === 0 ? (read.read ?? new Set()) : new Set(), read.matrix)),
    [...partsBySheet(read.parts).flatMap(unreadRows), ...unreadOfRecords(read), ...unreadLines(read)],
    unreadIds(read),
  ].flatMap((found) => found.slice(0, MAX_LISTED));

const KINDS: { what: Unread['what']; one: string; many: string }[] = [
  { what: 'sheet', one: 'sheet', many: 'sheets' },
  { what: 'column', one: 'column', many: 'columns' },
  { what: 'rows', one: 'part of the file', many: 'parts of the file' },
  { what: 'id', one: 'id that no hazard has', many: 'ids that no hazard has' },
];
/** A message names at most this many of a kind; the result lists them all. */
const MAX_NAMED = 4;

/** What was not read: a sentence for each kind, with the first places. None where everything was read. */
export function describeUnread(unread: readonly Unread[]): string[] {
  return KINDS.flatMap(({ what, one, many }) => {
    const of = unread.filter((it) => it.what === what);
    if (of.length === 0) return [];
    const named = of
      .slice(0, MAX_NAMED)
      .map(({ label, note, place }) => `“${label}” (${what === 'id' ? `${place.sheet} ${place.cell}` : note})`);
    const more = of.length > MAX_NAMED ? ` and ${of.length - MAX_NAMED} more` : '';
    const count = of.length >= MAX_LISTED ? `${MAX_LISTED} or more` : String(of.length);
    return [`Not read: ${count} ${of.length === 1 ? one : many}: ${named.join(', ')}${more}.`];
  });
}

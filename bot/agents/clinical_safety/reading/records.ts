import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell, GridRow } from '../ooxml/sheetScanner.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';
import { matchHeader } from './matchHeader.ts';

/** A hazard as pairs of heading and text, in their order. */
type RecordCells = Map<string, GridCell>;

/** A record has so many known headings at least: fewer are any list of terms. */
const MIN_KNOWN = 4;
/** What names a hazard: a record of it alone is one that nobody has filled in yet. */
const NAMES = new Set<HeaderMeaning>(['id', 'name']);
/** Headings stand in one of the first columns. */
const MAX_HEADING_COLUMN = 3;
const MAX_RECORDS = 5000;
const MAX_COLUMNS = 256;

/** The name of the grid that records are put together in, where they come from several sheets. */
const RECORDS = 'Hazard records';

/**
 * Hazards that do not stand in rows: a card for each, with a heading and its text in each line, or a table that lies
 * on its side, with a column for each hazard. Gives them as a grid with a row for each, whose cells know where they
 * come from; null where there are none.
 */
export function readRecords(grids: readonly Grid[]): Grid | null {
  const records: RecordCells[] = [];
  const sheets = new Set<string>();
  for (const grid of grids)
    for (const record of recordsOf(grid)) {
      if (records.length >= MAX_RECORDS) break;
      records.push(record);
      sheets.add(grid.name);
    }
  if (records.length === 0) return null;
  const headings = [...new Set(records.flatMap((record) => [...record.keys()]))].slice(0, MAX_COLUMNS);
  const head: GridRow = [];
  for (const [at, text] of headings.entries()) head[at + 1] = { text, number: null, formula: null };
  const rows: Grid['rows'] = [[], head];
  for (const record of records) {
    const row: GridRow = [];
    for (const [at, heading] of headings.entries()) {
      const cell = record.get(heading);
      if (cell) row[at + 1] = cell;
    }
    rows.push(row);
  }
  const [only] = sheets;
  return { name: sheets.size === 1 && only ? only : RECORDS, hidden: false, rows, merges: [] };
}

type Line = { row: number; heading: string; meaning: HeaderMeaning };

function recordsOf(grid: Grid): RecordCells[] {
  for (let column = 1; column <= MAX_HEADING_COLUMN; column += 1) {
    const records = blocksOf(grid, column).flatMap((block) => recordsIn(grid, column, block));
    if (records.length > 0) return records;
  }
  return [];
}

/** Runs of lines whose first cell is a known heading; one that comes again begins the next card. */
function blocksOf(grid: Grid, column: number): Line[][] {
  const blocks: Line[][] = [];
  let block: Line[] = [];
  const flush = () => {
    if (new Set(block.map(({ meaning }) => meaning)).size >= MIN_KNOWN) blocks.push(block);
    block = [];
  };
  for (let row = 1; row < grid.rows.length; row += 1) {
    const cell = grid.rows[row]?.[column];
    const heading = cell?.text.replace(/\s+/g, ' ').trim().replace(/\s*:$/, '') ?? '';
    const match = heading && cell?.number === null ? matchHeader(heading, null) : null;
    if (!match) {
      // A line without a known heading ends a card only where it says nothing at all.
      if (!grid.rows[row]?.some((it) => it?.text.trim())) flush();
      continue;
    }
    if (block.some((line) => line.heading === heading)) flush();
    block.push({ row, heading, meaning: match.meaning });
  }
  flush();
  return blocks;
}

/** The records of a block: one for each further column with texts. */
function recordsIn(grid: Grid, headingColumn: number, block: readonly Line[]): RecordCells[] {
  const widest = Math.min(MAX_COLUMNS, Math.max(...block.map(({ row }) => grid.rows[row]?.length ?? 0)));
  const records: RecordCells[] = [];
  for (let column = headingColumn + 1; column < widest; column += 1) {
    const record: RecordCells = new Map();
    for (const { row, heading } of block) {
      const cell = grid.rows[row]?.[column];
      if (cell?.text.trim())
        record.set(heading, {
          ...cell,
          formula: null,
          origin: cell.origin ?? { sheet: grid.name, cell: cellAddress(row, column) },
        });
    }
    // A table in rows has headings in its first column too rarely: its columns then hold other headings.
    const isHeadings = [...record.values()].filter(({ text }) => matchHeader(text, null)).length > record.size / 2;
    const isNamed = block.some(({ heading, meaning }) => NAMES.has(meaning) && record.has(heading));
    if ((isNamed || record.size >= 2) && !isHeadings) records.push(record);
  }
  return records;
}

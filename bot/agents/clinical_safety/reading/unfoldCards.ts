import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell, GridRow } from '../ooxml/sheetScanner.ts';
import { type Cell, type Line, MAX_HEADING_LENGTH, tableInCard } from './cardTables.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';
import { groupPhase } from './headerWords.ts';
import { matchHeader } from './matchHeader.ts';
import { ratingsInLine } from './ratingLines.ts';
import { toNumber } from './toNumber.ts';

/** Headings stand in one of the first columns. */
const MAX_COLUMN = 12;
/** A card has no more lines. */
const MAX_ROWS = 20_000;

/**
 * The filled cells of a row, with what each stands for as a heading. Those behind a first one that is none are not
 * looked up: a table of thousands of rows would take too long.
 */
function cellsOf(row: GridRow | undefined): Cell[] {
  const cells: Cell[] = [];
  for (const [column, cell] of (row ?? []).slice(0, MAX_COLUMN + 1).entries()) {
    const text = cell?.text.trim() ?? '';
    if (!cell || !text) continue;
    const [first] = cells;
    const isHeaded = !first || first.meaning !== null || groupPhase(first.cell.text.trim()) !== null;
    const isShort = isHeaded && text.length <= MAX_HEADING_LENGTH && cell.number === null;
    cells.push({
      column,
      cell,
      meaning: isShort ? (matchHeader(text.replace(/:$/, ''), null)?.meaning ?? null) : null,
    });
  }
  return cells;
}

/** Lines of a card with two pairs each, heading and text: `Hazard ID | H1 | Status | Open`. */
function pairsIn(cells: readonly Cell[], second: number): Line[] {
  const [first] = cells;
  if (!first) return [];
  const before = cells.filter(({ column }) => column > first.column && column < second);
  const [heading, ...behind] = cells.filter(({ column }) => column >= second);
  // Both stand in the columns of the first pair, as the lines with one pair do.
  const { column } = first;
  const line = (one: Cell, texts: readonly Cell[]): Line => ({ heading: one.cell, text: texts[0]?.cell, column });
  return [line(first, before), ...(heading ? [line(heading, behind)] : [])];
}

/**
 * The column in which the second headings of a card stand; null where it has none. At least three lines have one there,
 * and at least half of those with a heading in front.
 */
function secondColumn(rows: readonly Cell[][]): number | null {
  const counts = new Map<number, number>();
  let headed = 0;
  for (const [first, ...others] of rows) {
    if (!first || first.meaning === null) continue;
    headed += 1;
    const second = others.find(({ column, meaning }) => meaning !== null && column >= first.column + 2);
    if (second) counts.set(second.column, (counts.get(second.column) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && most[1] >= 3 && most[1] * 2 >= headed ? most[0] : null;
}

/** Causes and controls of a card may go on in lines below, without a heading. */
const GOES_ON = new Set<HeaderMeaning | null>(['cause', 'control_text', 'existing_controls']);

/** A list of a card has fewer lines. Each line looks back for its heading, so the way is short. */
const MAX_FURTHER = 50;

/** A line without a heading below one of causes or controls: the next of them, as "Causes 2". */
function furtherText(rows: readonly Cell[][], at: number): Line | null {
  const [text, ...others] = rows[at] ?? [];
  if (!text || others.length > 0) return null;
  for (let above = at - 1; above > Math.max(0, at - MAX_FURTHER); above -= 1) {
    const [first, value] = rows[above] ?? [];
    if (first && first.column === text.column && !value) continue;
    const isHead = first && value && first.column === text.column - 1 && value.column === text.column;
    if (!isHead || !GOES_ON.has(first.meaning)) return null;
    const heading = { ...first.cell, text: `${first.cell.text.trim().replace(/:$/, '')} ${at - above + 1}` };
    return { heading, text: text.cell, column: first.column };
  }
  return null;
}

/** A sheet with one card, in which no heading comes twice, has blank lines between its parts. */
function withoutBlanksInOneCard(rows: GridRow[]): GridRow[] {
  const headings = rows.flatMap((row) => row.find((cell) => cell?.text.trim())?.text.trim() ?? []);
  if (new Set(headings).size < headings.length) return rows;
  return rows.filter((row, at) => at === 0 || row.some((cell) => cell?.text.trim()));
}

/** "Initial risk | Severity: Major; Likelihood: Low": the ratings that a cell gives, or up to three. */
function inLine([heading, ...texts]: readonly Cell[]): Line[] {
  const [text] = texts;
  const words = heading?.cell.text.trim() ?? '';
  const said = texts.map(({ cell }) => cell.text.trim()).join('; ');
  if (!heading || !text || texts.length > 3 || groupPhase(words) === null) return [];
  return ratingsInLine(`${words}: ${said}`).map((rating) => ({
    heading: { ...heading.cell, text: rating.heading },
    text: { ...text.cell, text: rating.text, number: toNumber(rating.text) },
    column: heading.column,
  }));
}

/**
 * A sheet or table with cards as lines of one heading and one text, where its lines hold two pairs each or its ratings
 * stand in a small table; the same grid where they do not. Cells know where they come from.
 */
export function unfoldCards(grid: Grid): Grid {
  if (grid.rows.length > MAX_ROWS) return grid;
  const rows = Array.from(grid.rows, cellsOf);
  const second = secondColumn(rows);
  const unfolded: GridRow[] = [[]];
  let isChanged = false;
  const place = (cell: GridCell, row: number, column: number): GridCell => ({
    ...cell,
    origin: cell.origin ?? { sheet: grid.name, cell: cellAddress(row, column) },
  });
  const placed = rows.map((cells, row) => cells.map((one) => ({ ...one, cell: place(one.cell, row, one.column) })));
  const push = ({ heading, text, column, beside = [] }: Line) => {
    const line: GridRow = [];
    line[column] = { ...heading, number: null };
    line[column + 1] = text;
    for (const one of beside) line[one.column] = one.cell;
    unfolded.push(line);
  };
  for (let row = 1; row < grid.rows.length; row += 1) {
    const cells = placed[row] ?? [];
    const ratings = tableInCard(placed, row);
    if (ratings) {
      // A blank line in front of the small table does not end the card.
      while (unfolded.length > 1 && !unfolded.at(-1)?.some((cell) => cell?.text.trim())) unfolded.pop();
      ratings.lines.forEach(push);
      row += ratings.rows;
      isChanged = true;
    } else if (cells.length >= 2 && inLine(cells).length > 0) {
      inLine(cells).forEach(push);
      isChanged = true;
    } else if (second !== null && (cells[0]?.column ?? second) < second && cells[0]?.meaning !== null) {
      pairsIn(cells, second).forEach(push);
      isChanged = true;
    } else {
      const more = furtherText(placed, row);
      if (more) push(more);
      else unfolded.push(placedRow(grid.rows[row], row, place));
      isChanged ||= more !== null;
    }
  }
  return isChanged ? { ...grid, rows: withoutBlanksInOneCard(unfolded), merges: [] } : grid;
}

const placedRow = (
  row: GridRow | undefined,
  at: number,
  place: (cell: GridCell, row: number, column: number) => GridCell,
): GridRow => Array.from(row ?? [], (cell, column) => cell && place(cell, at, column));

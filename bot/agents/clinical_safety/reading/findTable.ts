import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { readCombinedColumn, readCombinedHeading, readLabelledColumn } from './combinedRatings.ts';
import { readByContent } from './contentMeanings.ts';
import { CONTROL_COLUMNS } from './controlColumns.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';
import { groupPhase, isTotalOfParts, type Phase } from './headerWords.ts';
import { type HeaderMatch, matchHeader } from './matchHeader.ts';
import { isChangeLog } from './ownSheets.ts';
import { type Letters, readKey } from './ratingLetters.ts';
import { type Header, readHeadings } from './readHeadings.ts';

type MatchedColumn = {
  canonical: CanonicalColumn;
  header: string;
  column: number;
  /** Which rating of a cell with several it is; absent for a column of one thing. */
  part?: number;
};
/** A heading with what it stands for, before columns of one meaning are told apart. */
export type MatchedHeading = { header: string; column: number } & HeaderMatch;
export type FoundTable = {
  grid: Grid;
  headerRows: number[];
  columns: MatchedColumn[];
  unmatched: { header: string; column: number }[];
  /** Every heading that stands for something, also those that another column was preferred to. */
  matches: MatchedHeading[];
  score: number;
  /** The row at which another table of the same sheet begins; absent where none does. */
  endRow?: number;
};

const HEADER_SEARCH_ROWS = 100;
/** Columns beyond this one are not read: no log has that many, and each heading costs a search. */
const MOST_HEADINGS = 256;
/** A better row of headings may be a few rows below a worse one, never far below. */
const ROWS_AFTER_TABLE = 12;
const RATINGS = new Set<HeaderMeaning>(['severity', 'likelihood', 'risk']);
const CONTROL_KINDS = new Set<HeaderMeaning>(CONTROL_COLUMNS);
/** Of these a table may have several columns. */
const SEVERAL = new Set<CanonicalColumn>(['cause', 'existing_controls', ...CONTROL_COLUMNS]);
/** A heading that only begins like a known one, as in "Control effectiveness", is no further column of it. */
const MIN_FURTHER_SCORE = 0.65;

/** The headings of a row: with the row above it where that one groups them ("Initial", "Residual") or holds a merged heading. */
function headersAt(grid: Grid, row: number): { headers: Header[]; grouped: boolean } {
  const cells = (grid.rows[row] ?? []).slice(0, MOST_HEADINGS + 1);
  const above = (grid.rows[row - 1] ?? []).slice(0, MOST_HEADINGS + 1);
  const aboveTexts = above.map((cell) => cell?.text.trim() ?? '');
  const groups = new Map<number, Phase>();
  const wide = new Set<number>();
  let grouped = false;
  let overlying: Grid['merges'] | null = null;
  for (const [column, text] of aboveTexts.entries()) {
    if (!text || text.length > 60) continue;
    const phase = groupPhase(text);
    const own = phase ? matchHeader(text, null)?.meaning : undefined;
    // "Current controls" is a heading, "Initial risk" may stand above three.
    if (!phase || (own && !RATINGS.has(own))) continue;
    overlying ??= grid.merges.filter(({ top, bottom }) => top <= row - 1 && bottom >= row - 1);
    const merge = overlying.find(({ left, right }) => left <= column && right >= column);
    let last = merge ? Math.min(merge.right, MOST_HEADINGS) : column;
    if (!merge) while (last + 1 < Math.max(cells.length, aboveTexts.length) && !aboveTexts[last + 1]) last += 1;
    for (let at = column; at <= last; at += 1) {
      groups.set(at, phase);
      if (last > column) wide.add(at);
    }
    grouped ||= last > column;
  }
  const headers: Header[] = [];
  let borrowed = false;
  const overhead: Header[] = [];
  const width = Math.max(cells.length, aboveTexts.length);
  for (let column = 1; column < width; column += 1) {
    const own = cells[column]?.text.replace(/\s+/g, ' ').trim();
    const upper = aboveTexts[column]?.replace(/\s+/g, ' ');
    if (own) headers.push({ text: own, column, phase: groups.get(column) ?? null });
    else if (upper && !wide.has(column)) {
      overhead.push({ text: upper, column, phase: null });
      borrowed ||= matchHeader(upper, null) !== null;
    }
  }
  // An unknown heading of the row above is named as such, where that row is one of headings.
  if (grouped || borrowed) headers.push(...overhead);
  return { headers, grouped: grouped || borrowed };
}

type Candidate = { header: Header; match: HeaderMatch };

/** Gives each rating column its phase: as named, else left to right: first initial, then residual. */
function settleRatings(candidates: Candidate[]): Map<Candidate, CanonicalColumn> {
  const settled = new Map<Candidate, CanonicalColumn>();
  for (const rating of ['severity', 'likelihood', 'risk'] as const) {
    const settle = (candidate: Candidate | undefined, phase: Phase) => {
      if (candidate) settled.set(candidate, `${phase}_${rating}`);
    };
    const all = candidates.filter(({ match }) => match.meaning === rating);
    const own = all.filter(({ header }) => !isTotalOfParts(header.text));
    const of = own.length > 0 ? own : all;
    const named = new Set(of.map(({ match }) => match.phase).filter(Boolean));
    const unnamed = of.filter(({ match }) => !match.phase);
    for (const phase of ['initial', 'residual'] as const) {
      const byName = of.filter(({ match }) => match.phase === phase);
      settle(byName.sort((a, b) => b.match.score - a.match.score)[0], phase);
    }
    const [first, ...others] = unnamed;
    const last = others.at(-1);
    if (!named.has('initial')) settle(first, 'initial');
    else if (!named.has('residual') && !last) settle(first, 'residual');
    if (!named.has('residual')) settle(last, 'residual');
  }
  return settled;
}

/** Of two columns with one meaning the first counts; of two justifications the last, which is that of the residual risk. */
function turnOf({ header, match }: Candidate): number {
  return match.meaning === 'rationale' ? -header.column : header.column;
}

const HAZARDS_OWN = new Set<HeaderMeaning>(['id', 'name']);
/** A “Hazard ID” goes before a “No.”, and a “Hazard name” before a “Title”. */
const namesHazard = ({ header, match }: Candidate) =>
  Number(HAZARDS_OWN.has(match.meaning) && /\bhaz(?:ard)?s?\b/i.test(header.text));

function tableAt(grid: Grid, row: number, key: Letters): FoundTable {
  const { headers, grouped } = headersAt(grid, row);
  const read = readHeadings(headers, key);
  const headed: Candidate[] = [];
  const unmatched: FoundTable['unmatched'] = [];
  const combined: MatchedColumn[] = [];
  const order = headers.flatMap(({ text }) => readCombinedHeading(text)?.ratings ?? []);
  for (const header of headers) {
    const several =
      readCombinedColumn(grid, row, header.column, header.text, order.length === 2 ? order : null) ??
      readLabelledColumn(grid, row, header.column, header.text);
    if (several) {
      const phase = several.phase ?? header.phase ?? (combined.length === 0 ? 'initial' : 'residual');
      for (const [part, rating] of several.ratings.entries())
        combined.push({ canonical: `${phase}_${rating}`, header: header.text, column: header.column, part });
      continue;
    }
    const match = read(header);
    if (match) headed.push({ header, match });
    else unmatched.push({ header: header.text, column: header.column });
  }
  const candidates = readByContent(grid, row, headed);
  const ratings = settleRatings(candidates);
  const bothPhases =
    new Set(candidates.filter(({ match }) => CONTROL_KINDS.has(match.meaning)).map(({ match }) => match.phase)).size >
    1;
  const taken = new Map<CanonicalColumn, number>();
  const columns: (MatchedColumn & { score: number })[] = [];
  for (const candidate of [...candidates].sort(
    (a, b) => b.match.score - a.match.score || namesHazard(b) - namesHazard(a) || turnOf(a) - turnOf(b),
  )) {
    const { header, match } = candidate;
    const initialControl = bothPhases && CONTROL_KINDS.has(match.meaning) && match.phase === 'initial';
    const canonical = RATINGS.has(match.meaning)
      ? ratings.get(candidate)
      : initialControl
        ? 'existing_controls'
        : (match.meaning as CanonicalColumn);
    // Each column of causes and controls is read: "prevention" and "detection", "design" twice.
    const isFurther = canonical !== undefined && SEVERAL.has(canonical) && match.score >= MIN_FURTHER_SCORE;
    if (!canonical || (taken.has(canonical) && !initialControl && !isFurther))
      unmatched.push({ header: header.text, column: header.column });
    else {
      taken.set(canonical, header.column);
      columns.push({ canonical, header: header.text, column: header.column, score: match.score });
    }
  }
  for (const one of combined)
    if (!taken.has(one.canonical)) {
      taken.set(one.canonical, one.column);
      columns.push({ ...one, score: 1 });
    }
  columns.sort((a, b) => a.column - b.column);
  const score = columns.reduce((sum, column) => sum + column.score, 0) - unmatched.length * 0.05;
  return {
    grid,
    headerRows: grouped ? [row - 1, row] : [row],
    columns,
    unmatched: unmatched.sort((a, b) => a.column - b.column),
    matches: candidates.map(({ header, match }) => ({ header: header.text, column: header.column, ...match })),
    score,
  };
}

const has = (table: FoundTable, ...names: CanonicalColumn[]) =>
  names.some((name) => table.columns.some(({ canonical }) => canonical === name));

/** A table of hazards names them and has a column for harm, cause, control or rating. */
export function isHazardTable(table: FoundTable): boolean {
  const kinds = new Set(table.columns.map(({ canonical }) => canonical));
  if (kinds.size < 3 || !has(table, 'id', 'name', 'description')) return false;
  const hazardous = [
    has(table, 'clinical_impact'),
    has(table, 'cause'),
    has(table, 'initial_severity', 'residual_severity'),
    has(table, 'initial_likelihood', 'residual_likelihood'),
    has(table, 'initial_risk', 'residual_risk'),
    has(table, 'existing_controls', 'control_text', 'control_design', 'control_training', 'control_business'),
    table.columns.some(({ header }) => /hazard/i.test(header)),
  ].filter(Boolean).length;
  return hazardous >= 2;
}

/** Whether two rows of headings put a meaning that both have into different columns. */
const isInAnotherOrder = (one: FoundTable, other: FoundTable): boolean =>
  other.columns.some(({ canonical, column }) => {
    const own = one.columns.find((known) => known.canonical === canonical);
    return own !== undefined && own.column !== column;
  });

/** Most tables of a sheet that are told apart. */
const MAX_TABLES = 50;

/**
 * A table and those below it in the same sheet that have their columns in another order. One that repeats the headings
 * as they are goes on with it.
 */
function splitAtHeadings(table: FoundTable, key: Letters): FoundTable[] {
  const { grid } = table;
  const tables = [table];
  const known = new Set(table.columns.map(({ header }) => header.toLowerCase()));
  const longest = Math.max(...table.columns.map(({ header }) => header.length));
  for (let row = (table.headerRows.at(-1) ?? 0) + 1; row < grid.rows.length && tables.length < MAX_TABLES; row += 1) {
    // Few rows repeat two headings, and only those are searched for more.
    let repeated = 0;
    for (const cell of grid.rows[row] ?? [])
      if (cell && cell.text.length <= longest && known.has(cell.text.trim().toLowerCase())) repeated += 1;
    if (repeated < 3) continue;
    const next = tableAt(grid, row, key);
    const before = tables.at(-1) ?? table;
    if (!isHazardTable(next) || next.columns.length < before.columns.length / 2 || !isInAnotherOrder(before, next))
      continue;
    before.endRow = next.headerRows[0] ?? row;
    tables.push({ ...next, score: before.score - 1 });
  }
  return tables;
}

/** The best hazard table of a file, and those of other sheets. */
export function findHazardTable(grids: readonly Grid[]): { table: FoundTable; others: FoundTable[] } | null {
  const found: FoundTable[] = [];
  const key = readKey(grids);
  for (const grid of grids) {
    if (isChangeLog(grid)) continue;
    let best: FoundTable | null = null;
    let looked = 0;
    for (let row = 1; row < grid.rows.length && looked < HEADER_SEARCH_ROWS; row += 1) {
      if (!grid.rows[row]?.length) continue;
      looked += 1;
      const table = tableAt(grid, row, key);
      if (isHazardTable(table) && (!best || table.score > best.score + 0.5)) best = table;
      if (best && row > (best.headerRows.at(-1) ?? 0) + ROWS_AFTER_TABLE) break;
    }
    if (!best) continue;
    if (/hazard/i.test(grid.name)) best.score += 1.5;
    if (/hazard\s*log/i.test(grid.name)) best.score += 1.5;
    if (/template|example|old\b|archive|guid|how|history|change log/i.test(grid.name)) best.score -= 2;
    // Further sheets of the log, never the first.
    if (/closed|retired|withdrawn|obsolete|rejected/i.test(grid.name)) best.score -= 3;
    if (grid.hidden) best.score -= 3;
    const last = best.headerRows.at(-1) ?? 0;
    if (grid.rows.some((row, index) => index > last && row && row.filter(Boolean).length > 1)) best.score += 2;
    found.push(...splitAtHeadings(best, key));
  }
  found.sort((a, b) => b.score - a.score);
  const [table, ...others] = found;
  return table ? { table, others } : null;
}

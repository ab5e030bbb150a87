import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { normaliseHeader, type Phase } from './headerWords.ts';
import type { HeaderMatch } from './matchHeader.ts';

type Candidate = { header: { text: string; column: number; phase: Phase | null }; match: HeaderMatch };
type Column = { canonical: CanonicalColumn; header: string; column: number };
type Table = {
  grid: Grid;
  headerRows: number[];
  columns: Column[];
  unmatched: { header: string; column: number }[];
  matches: ({ header: string; column: number } & HeaderMatch)[];
};

/** Rows that are looked at to tell a number from a sentence. */
const LOOKED_AT = 12;
/** Words that one team uses for what happens to a patient, and another for how bad it is. */
const AMBIGUOUS = /\b(?:consequences?|impacts?)\b/;

const isAmbiguous = ({ header, match }: Candidate, meaning: 'severity' | 'clinical_impact') =>
  match.meaning === meaning && AMBIGUOUS.test(normaliseHeader(header.text));
const isSentence = (cell: string) => cell.split(/\s+/).length > 2 && !/^\d/.test(cell);
/** Words for how bad something is, whatever the scale. */
const SEVERITY_WORD =
  /^(?:very )?(?:negligible|insignificant|marginal|minimal|minor|moderate|significant|considerable|serious|major|severe|critical|catastrophic|extreme|low|medium|high)$/i;
const isNumber = (cell: string) => /^\d{1,2}\b/.test(cell) && cell.split(/\s+/).length <= 4;

/**
 * Tells "Consequence" and "Impact" apart by their cells: numbers are a severity, and sentences an effect where another
 * column has the severity. Without one, people are asked.
 */
export function readByContent(grid: Grid, row: number, candidates: Candidate[]): void {
  const cellsOf = ({ header }: Candidate) =>
    grid.rows.slice(row + 1, row + 1 + LOOKED_AT).flatMap((one) => one?.[header.column]?.text.trim() || []);
  for (const one of candidates) {
    if (!isAmbiguous(one, 'clinical_impact')) continue;
    const cells = cellsOf(one);
    if (cells.length > 0 && (cells.every(isNumber) || cells.every((cell) => SEVERITY_WORD.test(cell))))
      one.match = { ...one.match, meaning: 'severity', phase: one.match.phase ?? one.header.phase };
  }
  // "Risk" in sentences is the hazard, where nothing else names it.
  const named = candidates.some(({ match }) => match.meaning === 'name' || match.meaning === 'description');
  const told = named ? undefined : candidates.find((one) => one.match.meaning === 'risk' && one.match.phase === null);
  if (told) {
    const cells = cellsOf(told);
    if (cells.length > 1 && cells.every((cell) => isSentence(cell) || !cell))
      told.match = { ...told.match, meaning: 'name' };
  }
  const severities = candidates.filter(({ match }) => match.meaning === 'severity');
  for (const one of severities) {
    if (!isAmbiguous(one, 'severity')) continue;
    const cells = cellsOf(one);
    const isEffect = cells.length > 0 && cells.filter(isSentence).length * 2 > cells.length;
    if (isEffect && severities.some((other) => other !== one && cellsOf(other).some(isNumber)))
      one.match = { ...one.match, meaning: 'clinical_impact' };
  }
}

const ID_LIKE = /^[A-Za-z]{1,12}[-_./ ]?\d{1,6}[a-z]?$/;

/**
 * A table whose column "Hazard" holds the ids, with the names in the next column that could hold them: by its cells,
 * where no other column has the ids.
 */
export function withIdsOfItsOwn<Found extends Table>(table: Found): Found {
  const { grid, columns, matches } = table;
  const name = columns.find(({ canonical }) => canonical === 'name');
  if (!name || columns.some(({ canonical }) => canonical === 'id')) return table;
  const first = (table.headerRows.at(-1) ?? 0) + 1;
  const cells = grid.rows.slice(first).flatMap((row) => row?.[name.column]?.text.trim() || []);
  if (cells.length < 2 || !cells.every((cell) => ID_LIKE.test(cell))) return table;
  const next = matches.find(({ meaning, column }) => meaning === 'name' && column !== name.column);
  const named = next ? [{ canonical: 'name' as const, header: next.header, column: next.column }] : [];
  return {
    ...table,
    columns: [...columns.map((one) => (one === name ? { ...one, canonical: 'id' as const } : one)), ...named],
    unmatched: table.unmatched.filter(({ column }) => column !== next?.column),
  };
}

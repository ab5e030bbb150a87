import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';
import { normaliseHeader, type Phase } from './headerWords.ts';
import { idPrefix } from './idForm.ts';
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

/** Cells of several words without a number are no ids, where the heading is only nearly one of ids. */
const isNoId = ({ match }: Candidate, cells: readonly string[]) =>
  match.meaning === 'id' &&
  match.score < 1 &&
  cells.length > 1 &&
  cells.every((cell) => !/\d/.test(cell) && /\s/.test(cell));

/**
 * Tells "Consequence" and "Impact" apart by their cells: numbers are a severity, and sentences an effect where another
 * column has the severity. Without one, people are asked.
 */
export function readByContent<Own extends Candidate>(grid: Grid, row: number, candidates: readonly Own[]): Own[] {
  const cellsOf = ({ header }: Candidate) =>
    grid.rows.slice(row + 1, row + 1 + LOOKED_AT).flatMap((one) => one?.[header.column]?.text.trim() || []);
  const as = (one: Own, meaning: HeaderMeaning): Own => ({ ...one, match: { ...one.match, meaning } });
  const rated = candidates.map((one) => {
    if (!isAmbiguous(one, 'clinical_impact')) return one;
    const cells = cellsOf(one);
    const isRated = cells.every(isNumber) || cells.every((cell) => SEVERITY_WORD.test(cell));
    return cells.length > 0 && isRated ? as(one, 'severity') : one;
  });
  const severities = rated.filter(({ match }) => match.meaning === 'severity');
  const isNamed = rated.some(({ match }) => match.meaning === 'name' || match.meaning === 'description');
  const numbered = rated.filter((one) => !isNoId(one, cellsOf(one)));
  return numbered.map((one) => {
    const cells = cellsOf(one);
    const sentences = cells.filter(isSentence).length;
    // "Risk" in sentences is the hazard, where nothing else names it.
    if (!isNamed && one.match.meaning === 'risk' && one.match.phase === null && cells.length > 1)
      return sentences === cells.length ? as(one, 'name') : one;
    const isOther = severities.some((other) => other !== one && cellsOf(other).some(isNumber));
    return isAmbiguous(one, 'severity') && sentences * 2 > cells.length && isOther ? as(one, 'clinical_impact') : one;
  });
}

/**
 * A table whose column "Hazard" holds the ids, with the names in the next column that could hold them: by its cells,
 * where no other column has the ids.
 */
export function takeNamesAsIds<Found extends Table>(table: Found): Found {
  const { grid, columns, matches } = table;
  const name = columns.find(({ canonical }) => canonical === 'name');
  if (!name || columns.some(({ canonical }) => canonical === 'id')) return table;
  const first = (table.headerRows.at(-1) ?? 0) + 1;
  const cells = grid.rows.slice(first).flatMap((row) => row?.[name.column]?.text.trim() || []);
  const next = matches.find(({ meaning, column }) => meaning === 'name' && column !== name.column);
  // One id alone may be a name, where nothing else could be.
  if (cells.length < (next ? 1 : 2) || !cells.every((cell) => idPrefix(cell) !== undefined)) return table;
  const named = next ? [{ canonical: 'name' as const, header: next.header, column: next.column }] : [];
  return {
    ...table,
    columns: [...columns.map((one) => (one === name ? { ...one, canonical: 'id' as const } : one)), ...named],
    unmatched: table.unmatched.filter(({ column }) => column !== next?.column),
  };
}

import type { LogShape } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';

export type Matrix = LogShape['matrix'];

export const NHS_SEVERITIES = ['Minor', 'Significant', 'Considerable', 'Major', 'Catastrophic'];
export const NHS_LIKELIHOODS = ['Very high', 'High', 'Medium', 'Low', 'Very low'];

/** The NHS matrix of DCB0129 4.2: a table to look up, never a product. Rows likelihood, columns severity. */
export const NHS_MATRIX: Matrix = {
  source: 'nhs',
  name: 'NHS 5x5 (DCB0129 4.2)',
  place: null,
  severities: NHS_SEVERITIES,
  likelihoods: NHS_LIKELIHOODS,
  cells: [
    [3, 4, 4, 5, 5],
    [2, 3, 3, 4, 5],
    [2, 2, 3, 3, 4],
    [1, 2, 2, 3, 4],
    [1, 1, 2, 2, 3],
  ],
};

const ratingWords = new Map<string, string>();
/** What is longer is a sentence, not a rating. */
const LONGEST_RATING = 80;

/** Case, spaces and hyphens left out, "4 - Major" is "major"; never a guess: "Very low" is not "Low". */
export function normaliseRatingWord(text: string): string {
  if (text.length > LONGEST_RATING) return text.trim().toLowerCase();
  const known = ratingWords.get(text);
  if (known !== undefined) return known;
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\-–—_]+/g, ' ')
    .trim();
  const bare = plain.replace(/^\(?\d+\)?[.:) ]*|[ (]*\d+\)?$/g, '').trim();
  const word = bare || plain;
  if (ratingWords.size < 5000) ratingWords.set(text, word);
  return word;
}

const position = (words: string[], word: string) => {
  const wanted = normaliseRatingWord(word);
  return words.findIndex((known) => normaliseRatingWord(known) === wanted);
};

/** The risk that a matrix gives; null where it does not know one of the words. */
export function lookUpRisk(matrix: Matrix, severity: string | null, likelihood: string | null): number | null {
  if (!severity || !likelihood || matrix.source === 'none') return null;
  return matrix.cells[position(matrix.likelihoods, likelihood)]?.[position(matrix.severities, severity)] ?? null;
}

const SEVERITY_WORDS = new Set([
  'minor',
  'significant',
  'considerable',
  'major',
  'catastrophic',
  'negligible',
  'insignificant',
  'marginal',
  'moderate',
  'serious',
  'severe',
  'critical',
  'fatal',
  'none',
  'death',
]);
const LIKELIHOOD_WORDS = new Set([
  'very high',
  'high',
  'medium',
  'low',
  'very low',
  'certain',
  'almost certain',
  'likely',
  'very likely',
  'possible',
  'unlikely',
  'very unlikely',
  'rare',
  'remote',
  'frequent',
  'probable',
  'occasional',
  'improbable',
  'incredible',
  'moderate',
  'extremely unlikely',
]);

/** Which rating words the log itself uses, so that a matrix in its own words is found too. */
export type RatingWords = { severities: Set<string>; likelihoods: Set<string> };

/** A block of numbers with likelihood words beside it and severity words under or over it, or the other way round. */
export function findOwnMatrix(grids: Grid[], own: RatingWords, except: Grid): Matrix | null {
  const severity = new Set([...SEVERITY_WORDS, ...own.severities]);
  const likelihood = new Set([...LIKELIHOOD_WORDS, ...own.likelihoods]);
  for (const grid of grids) {
    if (grid === except && grid.rows.length > 200) continue;
    const name = `“${grid.name}” sheet of this workbook`;
    const upright = readBlock(grid, likelihood, severity);
    if (upright) {
      const { down, across, cells, place } = upright;
      return { source: 'log', name, place, severities: across, likelihoods: down, cells };
    }
    const lying = readBlock(grid, severity, likelihood);
    if (!lying) continue;
    const cells = lying.across.map((_, column) => lying.down.map((_, row) => lying.cells[row]?.[column] ?? 0));
    return { source: 'log', name, place: lying.place, severities: lying.down, likelihoods: lying.across, cells };
  }
  return null;
}

type Block = { down: string[]; across: string[]; cells: number[][]; place: { sheet: string; cell: string } };

function readBlock(grid: Grid, downWords: Set<string>, acrossWords: Set<string>): Block | null {
  const word = (row: number, column: number) => grid.rows[row]?.[column]?.text.trim() ?? '';
  const isDown = (row: number, column: number) => downWords.has(normaliseRatingWord(word(row, column)));
  const limit = Math.min(grid.rows.length, 300);
  for (let row = 1; row < limit; row += 1) {
    for (const [column] of (grid.rows[row] ?? []).entries()) {
      if (!isDown(row, column) || grid.rows[row]?.[column + 1]?.number == null) continue;
      let bottom = row;
      while (isDown(bottom + 1, column) && grid.rows[bottom + 1]?.[column + 1]?.number != null) bottom += 1;
      let right = column + 1;
      while (grid.rows[row]?.[right + 1]?.number != null) right += 1;
      if (bottom - row < 2 || right - column < 3) continue;
      const heading = [bottom + 1, row - 1, bottom + 2, row - 2].find((candidate) => {
        const words = Array.from({ length: right - column }, (_, index) =>
          normaliseRatingWord(word(candidate, column + 1 + index)),
        );
        return words.every((text) => acrossWords.has(text));
      });
      if (heading === undefined) continue;
      const cells: number[][] = [];
      for (let at = row; at <= bottom; at += 1)
        cells.push(
          Array.from(
            { length: right - column },
            (_, index) => grid.rows[at]?.[column + 1 + index]?.number ?? Number.NaN,
          ),
        );
      if (cells.flat().some(Number.isNaN)) continue;
      const down = cells.map((_, index) => word(row + index, column));
      const across = Array.from({ length: right - column }, (_, index) => word(heading, column + 1 + index));
      return { down, across, cells, place: { sheet: grid.name, cell: cellAddress(row, column + 1) } };
    }
  }
  return null;
}

/** A scale of numbers, 1 to 5 by 1 to 5, which the log multiplies itself. */
export const NUMERIC_MATRIX: Matrix = {
  source: 'numeric',
  name: 'Numeric 1–25 scale (severity × likelihood), as the log uses it; not the NHS matrix',
  place: null,
  severities: ['1', '2', '3', '4', '5'],
  likelihoods: ['5', '4', '3', '2', '1'],
  cells: [5, 4, 3, 2, 1].map((likelihood) => [1, 2, 3, 4, 5].map((severity) => severity * likelihood)),
};

/** Where the log rates in words of its own and brings no matrix for them. */
const NO_MATRIX: Matrix = {
  source: 'none',
  name: 'None: the rating words of this log are not those of the NHS matrix, and it brings no matrix of its own',
  place: null,
  severities: [],
  likelihoods: [],
  cells: [],
};

/** Which matrix decides: the log's own, a numeric scale if it uses numbers, else the NHS default. */
export function chooseMatrix(grids: Grid[], words: RatingWords, logGrid: Grid): Matrix {
  const all = [...words.severities, ...words.likelihoods];
  const numeric = all.length > 0 && all.filter((word) => /^[1-5]$/.test(word)).length >= all.length * 0.6;
  const own = findOwnMatrix(grids, words, logGrid);
  if (own && !numeric) return own;
  if (numeric) return NUMERIC_MATRIX;
  const known = new Set([...NHS_SEVERITIES, ...NHS_LIKELIHOODS].map(normaliseRatingWord));
  if (all.length > 0 && !all.some((word) => known.has(word))) return NO_MATRIX;
  return NHS_MATRIX;
}

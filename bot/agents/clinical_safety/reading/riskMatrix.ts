import type { LogShape } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { isSameRating } from '../../../../models/contracts/clinical_safety/ratingWords.ts';

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

/** A log repeats few rating words in many rows, so this many positions per list of labels are cached. */
const MAX_REMEMBERED = 1000;
const remembered = new WeakMap<readonly string[], Map<string, number>>();

/** Index of the one label that a rating stands for; -1 for none, and where it fits several. */
export function positionOf(labels: readonly string[], rating: string): number {
  const known = remembered.get(labels) ?? new Map<string, number>();
  const position = known.get(rating) ?? findPosition(labels, rating);
  if (known.size < MAX_REMEMBERED) remembered.set(labels, known.set(rating, position));
  return position;
}

function findPosition(labels: readonly string[], rating: string): number {
  const fits = labels.flatMap((label, at) => (isSameRating(label, rating) ? [at] : []));
  return fits.length === 1 ? (fits[0] ?? -1) : -1;
}

type Cell = { row: number; column: number };

function cellOf(matrix: Matrix, severity: string | null, likelihood: string | null): Cell | null {
  if (!severity || !likelihood || matrix.source === 'none') return null;
  const [row, column] = [positionOf(matrix.likelihoods, likelihood), positionOf(matrix.severities, severity)];
  return row < 0 || column < 0 ? null : { row, column };
}

/** The number of a matrix's cell, of one in words the place of its word; null where it does not know one of the words. */
export function lookUpRank(matrix: Matrix, severity: string | null, likelihood: string | null): number | null {
  const cell = cellOf(matrix, severity, likelihood);
  return cell && (matrix.cells[cell.row]?.[cell.column] ?? null);
}

/** The risk that a matrix gives; null where it does not know one of the words, or gives words itself. */
export const lookUpRisk = (matrix: Matrix, severity: string | null, likelihood: string | null): number | null =>
  matrix.levels ? null : lookUpRank(matrix, severity, likelihood);

/** The word that a matrix in words gives; null where it does not know one of the words, and of any other matrix. */
export function lookUpLevel(matrix: Matrix, severity: string | null, likelihood: string | null): string | null {
  const cell = matrix.levels ? cellOf(matrix, severity, likelihood) : null;
  return cell && (matrix.levels?.[cell.row]?.[cell.column] ?? null);
}

/** The words of a matrix in words, each once. */
export const levelsOf = ({ levels = [] }: Matrix): string[] => [...new Set(levels.flat())];

/** The place of a word of a matrix in words, the mildest being 1; 0 for any other word. */
export function rankOfLevel({ levels = [], cells }: Matrix, level: string): number {
  const row = levels.findIndex((words) => words.includes(level));
  return cells[row]?.[levels[row]?.indexOf(level) ?? -1] ?? 0;
}

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

/** The risk that a matrix gives; null where it does not know one of the words. */
export function lookUpRisk(matrix: Matrix, severity: string | null, likelihood: string | null): number | null {
  if (!severity || !likelihood || matrix.source === 'none') return null;
  return matrix.cells[positionOf(matrix.likelihoods, likelihood)]?.[positionOf(matrix.severities, severity)] ?? null;
}

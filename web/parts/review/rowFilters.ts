import type { QuestionRow } from '../../../models/contracts/questionRows.ts';

/** A choice of rows to show: its id in the URL, its label, and which rows it has. */
type RowFilter = { id: string; label: string; rows: number[] };

/** The id of the filter that shows every row. */
export const ALL_ROWS = 'all';

/** The id of the filter for decisions that were kept from the previous review. */
export const KEPT_ROWS = 'kept';

/**
 * The filters of a review with the positions of their rows: all, undecided, kept from before, weak evidence, rejected before, then one for
 * each group where there are several. A filter without rows is left out, unless it is the chosen one.
 */
export function filtersOf(
  rows: readonly QuestionRow[],
  isDecided: (row: QuestionRow) => boolean,
  isKept: (row: QuestionRow) => boolean,
  chosen: string,
): RowFilter[] {
  const positions = (fits: (row: QuestionRow) => boolean) => rows.flatMap((row, at) => (fits(row) ? [at] : []));
  const groups = [...new Set(rows.flatMap(({ group }) => group ?? []))].sort();
  const filters = [
    { id: ALL_ROWS, label: 'All', rows: positions(() => true) },
    { id: 'undecided', label: 'Undecided', rows: positions((row) => !isDecided(row)) },
    { id: KEPT_ROWS, label: 'Kept from before', rows: positions(isKept) },
    { id: 'weak', label: 'Weak evidence', rows: positions(({ isWeak }) => isWeak === true) },
    { id: 'rejected-before', label: 'Rejected before', rows: positions((row) => row.preselected === 'rejected') },
    ...(groups.length > 1
      ? groups.map((group) => ({
          id: `kind:${group}`,
          label: group,
          rows: positions((row) => row.group === group),
        }))
      : []),
  ];
  return filters.filter(({ id, rows: shown }) => id === ALL_ROWS || id === chosen || shown.length > 0);
}

/**
 * The row that a step from one leads to among those that a filter shows; the row itself stays where there is none
 * further on. A row that the filter hides leads to its next neighbour in that direction.
 */
export function stepWithin(shown: readonly number[], from: number, by: 1 | -1): number {
  const next = by === 1 ? shown.find((at) => at > from) : shown.findLast((at) => at < from);
  return next ?? from;
}

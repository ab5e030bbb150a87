/** The part of a row that takes the focus: the row itself, its reason, or its open fields. */
export type Focus = 'line' | 'reason' | 'edit';

const PLACES: Record<Exclude<Focus, 'line'>, string> = {
  reason: '[data-reason]',
  edit: '[data-edit] :is(textarea, input)',
};

/** The element of a row that takes the focus; null for the row itself, and where it has no such part. */
export const partOf = (row: HTMLElement | null, focus: Focus): HTMLElement | null =>
  focus === 'line' ? null : (row?.querySelector<HTMLElement>(PLACES[focus]) ?? null);

/** The current row of a review, and how another one becomes it. */
export type Place = {
  active: number;
  goTo: (at: number, focus?: Focus) => void;
  /** The row that a step forward or back from the current one leads to. */
  step: (by: 1 | -1) => number;
  /** Whether the current row may be acted on; if not, it is brought into view. */
  isReady: () => boolean;
  /** Goes to the filter of the rows; absent where there is none. */
  filter?: () => void;
  /** Shows the decisions that were kept from the previous review; absent where the first of them is gone to. */
  showKept?: () => void;
};

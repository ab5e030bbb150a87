/** The part of a row that takes the focus: the row itself, its reason, or its open fields. */
export type Focus = 'line' | 'reason' | 'edit';

const PLACES: Record<Exclude<Focus, 'line'>, string> = {
  reason: '[data-reason]',
  edit: '[data-edit] :is(textarea, input)',
};

/**
 * Moves the focus to a part of a row, and in a text to its end.
 * @returns false where the row has no such part, and for the row itself: then nothing has moved
 */
export function focusPart(row: HTMLElement | null, focus: Focus): boolean {
  const part = focus === 'line' ? null : row?.querySelector<HTMLTextAreaElement | HTMLInputElement>(PLACES[focus]);
  if (!part) return false;
  part.focus({ preventScroll: true });
  // Browsers begin before the first letter, and who edits mostly adds.
  if (part.type === 'text' || part.type === 'textarea') part.setSelectionRange(part.value.length, part.value.length);
  return true;
}

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

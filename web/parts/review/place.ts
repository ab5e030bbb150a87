/** The current row of a review, and how another one becomes it. */
export type Place = {
  active: number;
  goTo: (at: number, focus?: 'line' | 'reason') => void;
  /** The row that a step forward or back from the current one leads to. */
  step: (by: 1 | -1) => number;
  /** Whether the current row may be acted on; if not, it is brought into view. */
  isReady: () => boolean;
  /** Goes to the filter of the rows; absent where there is none. */
  filter?: () => void;
  /** Shows the decisions that were kept from the previous review; absent where the first of them is gone to. */
  showKept?: () => void;
};

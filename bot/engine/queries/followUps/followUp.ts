/** What a message does with the query of the answer before it. */
export type How =
  /** More conditions on the same rows, or another order, limit or grouping of them. */
  | 'narrow'
  /** The same rows but for some: "not the closed ones". */
  | 'without'
  /** The same where no condition of the earlier query is on that field. */
  | 'perhaps'
  /** Other values in the place of earlier ones: "what about the closed ones?". */
  | 'instead'
  | 'widen'
  /** The rows for which the earlier conditions do not hold. */
  | 'others'
  /** The same, or the rows that a long answer did not list. */
  | 'rest'
  /** The same rows, one by one. */
  | 'list'
  | 'reverse';

/** A message that goes on from an earlier answer. */
export type FollowUp = {
  how: How;
  /** Ways to ask for what it says as a question of its own; the first that is understood counts. Empty: says no more. */
  asked: string[];
  /** Whether it can't be read on its own, because it points at rows that are not named. */
  isPointing: boolean;
};

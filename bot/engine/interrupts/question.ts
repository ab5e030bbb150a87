import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { Requirement } from '../../../models/policies/actions.ts';

/** What an agent asks a person. */
export type Question = {
  /** A kind of question (`engine/questions/kinds`); any other is answered by its options or by words. */
  interruptType: string;
  /** Whose answer it needs; where nothing is said, what its type needs. */
  requires?: Requirement;
  prompt: string;
  options?: InterruptRow['options'];
  context?: Record<string, unknown>;
  /** With a review: the decisions that it begins with. */
  draft?: RowDecision[];
  /** With a review: the matches that are chosen already, by proposal. */
  chosen?: Record<string, string>;
  /** With a review: the rows whose decision is kept from a review that was withdrawn. */
  kept?: string[];
};

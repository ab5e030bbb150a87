import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { InterruptRow, StoredDecider } from '../../../models/interrupt.ts';
import type { Requirement } from '../../../models/policies/actions.ts';

/** A question to ask a person. */
export type Question = {
  /** A kind in `engine/questions/kinds`; unknown kinds are answered by their options or in words. */
  interruptType: string;
  /** The role that has to answer; by default what the kind requires. */
  requires?: Requirement;
  prompt: string;
  options?: InterruptRow['options'];
  context?: Record<string, unknown>;
  /** Reviews: the initial decisions. */
  draft?: RowDecision[];
  /** Reviews: options chosen in advance, by row id. */
  chosen?: Record<string, string>;
  /** Reviews: ids of the rows whose decision was carried over from a withdrawn review. */
  kept?: string[];
  /** Reviews: who made the carried-over decisions. */
  keptBy?: StoredDecider[];
};

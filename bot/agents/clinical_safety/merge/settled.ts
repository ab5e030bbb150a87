import type { MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard, ProposedValues } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';

/** A proposal that a person accepted, as it goes into the log. */
export type PlannedHazard = Settled & { hazardId: string };
export type MergePlan = { hazards: PlannedHazard[]; rejected: Settled[]; conflicts: MergeConflict[] };

/** What a reviewer settled: the proposal with the candidate that was chosen, and the values with the reviewer's own words over them. */
export type Settled = {
  proposal: NewHazard;
  outcome: RowDecision['outcome'];
  values: ProposedValues;
  /** The entry and its title; which one it was chosen instead of, where it was. */
  knowledge: string;
  /** What the reviewer gave as the reason; empty where none. */
  reason: string;
};

/** The proposals that a log's own Change log names, by what became of them. */
export type Recorded = { merged: Set<string>; rejected: Set<string> };

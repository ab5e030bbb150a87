import type { MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Addition, NewHazard, ProposedValues } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';

/** An accepted proposal and its id in the log. */
export type PlannedHazard = Settled & { hazardId: string };
export type MergePlan = {
  hazards: PlannedHazard[];
  /** Accepted proposals that go to a hazard of the log. */
  additions: AddedSettled[];
  rejected: Settled[];
  conflicts: MergeConflict[];
};

/** A reviewed proposal that goes to a hazard of the log. */
export type AddedSettled = Settled & { addition: Addition };

/** A reviewed proposal: with the chosen candidate, and with the reviewer's edits in its values. */
export type Settled = {
  proposal: NewHazard;
  outcome: RowDecision['outcome'];
  values: ProposedValues;
  /** The knowledge base entry and its title; also the entry that it replaced, if any. */
  knowledge: string;
  /** The reviewer's reason; empty where none was given. */
  reason: string;
  /** The hazard that it goes to as a cause or a control; absent for a new hazard. */
  addition?: Addition;
};

/** The proposals in a log's own Change log, by their outcome. */
export type Recorded = { merged: Set<string>; rejected: Set<string> };

import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';

/** What a compliance sheet is made from: an analysis, and what the company keeps in Arc. */
export type ComplianceInput = {
  result: AnalysisResult;
  analysis: {
    id: number;
    /** ISO 8601. */
    createdAt: string;
    logFileName: string;
    logVersion: string | null;
    isSample: boolean;
  };
  /** Ids of findings that somebody accepted with a reason, and whose values are still the same. */
  accepted: string[];
  /** Decisions on proposed hazards; empty where there is none. */
  decisions: RowDecision[];
  /** Who sent the review of the proposals, and when, ISO 8601; null where it was not sent. */
  reviewedBy: { name: string; at: string } | null;
  /** The Clinical Safety Officer as Preferences name them; null where nobody is appointed. */
  officer: { name: string; profession: string; register: string; registrationNumber: string } | null;
  /** Names of the company's documents in Arc. Only their names are known. */
  documents: string[];
  /** Drafts of the safety case report that Arc wrote from this analysis's log, by name. */
  reports: string[];
  /** Analyses of this log that are kept, this one included, the newest first. */
  versions: { id: number; createdAt: string; logVersion: string | null; isMerged: boolean }[];
  /** When the sheet is made, ISO 8601. */
  madeAt: string;
  /** The company's time zone, in which days are written. */
  timeZone: string;
};

/** How far Arc found evidence for a clause. It is never an answer: whether a clause is met, a person says. */
export type Standing = 'found' | 'part' | 'nothing' | 'person';

export type AssessedClause = {
  clause: string;
  section: string;
  asks: string;
  standing: Standing;
  /** What Arc holds that may be evidence, a line each. */
  found: string[];
  /** What it looked for and did not find, and open findings of the log, a line each. */
  missing: string[];
};

import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import type { WordRun } from '../../../engine/files/wordDocument.ts';

/** What a safety case report is written from: an analysis, and what people decided on it. */
export type ReportInput = {
  result: AnalysisResult;
  analysis: {
    id: number;
    /** ISO 8601. */
    createdAt: string;
    logFileName: string;
    isSample: boolean;
  };
  /** Findings that somebody accepted with a reason, and whose values are still the same; by the finding's id. */
  accepted: Record<string, { reason: string; by: string; at: string }>;
  /** Decisions on proposed hazards; empty where there is none. */
  decisions: RowDecision[];
  /** When the report is written, ISO 8601. */
  writtenAt: string;
  /** The company's time zone, in which days are written. */
  timeZone: string;
  /** Name of a log that was uploaded after the analysed one; null where there is none. */
  newerLog: string | null;
};

/** Rows of a table of hazards or findings: Word opens more of them slowly, and so are they written. */
export const MAX_REPORT_ROWS = 1000;

/** A place that only the Clinical Safety Officer can fill. */
export const gap = (what: string): WordRun => ({ text: `[Clinical Safety Officer: ${what}]`, gap: true });

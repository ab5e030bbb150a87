import type { AnalysisResult, MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import type { HazardFileErrorCode } from '../errors.ts';

/** A file as it came, with the SHA-256 of its bytes in hex. */
type HazardFile = { bytes: Uint8Array; fileName: string; digest: string };

/** One ticket, from an export or straight from a tracker. */
export type TicketRecord = {
  key: string;
  summary: string;
  description: string;
  /** As the tracker has it; empty where unknown. */
  type?: string;
  labels?: string;
};

/** Tickets that a connector fetched: the source is what people read ("Jira, project EPS"). */
type FetchedTickets = { records: TicketRecord[]; source: string; digest: string };

export type InspectedFile = {
  kind: 'hazard-log' | 'tickets';
  fileName: string;
  /** Data rows: those of the log's table, or tickets. */
  rowCount: number;
  /** Odd but survivable: macros, external links, no ratings … each a sentence. */
  remarks: string[];
};

/** What a person settled in an earlier run; it wins over every score. */
export type TicketDecision = {
  ticketKey: string;
  /** The hazard that covers the ticket; null where the person said that none does. */
  hazardId: string | null;
  /** False where the person said that the ticket is no matter of safety. */
  relevant?: boolean;
};

export type AnalyseInput = {
  log: HazardFile;
  tickets: HazardFile | FetchedTickets | null;
  decisions?: TicketDecision[];
  /** The day that "reviewed more than a year ago" counts from (ISO); without it, the latest date of the log itself. */
  asOf?: string;
  /** The safety case report that goes with the log, as text: counts, versions and transferred controls are compared. */
  report?: { fileName: string; text: string };
};

/** Who decided on the rows, and when (ISO 8601): written into the Change log as given. */
export type Review = { reviewer: string; decidedAt: string; role?: string; surface?: string };

export type MergeInput = {
  /** The log as it is now; where it moved since the analysis the conflicts say so. */
  log: HazardFile;
  result: AnalysisResult;
  rows: RowDecision[];
  review: Review;
  /** Head of the account's audit chain, put into the Change log where given. */
  auditHead?: string;
};

export type MergeOutput = {
  bytes: Uint8Array;
  fileName: string;
  conflicts: MergeConflict[];
  /** What was written: the proposal, the id it got, and the sheet row it stands in. */
  merged: { id: string; hazardId: string; sheet: string; row: number }[];
  /** Where the status “Proposed – CSO review” stands: beside the hazard, or only in the Change log where the log has no status column or its list forbids the value. */
  statusWritten: 'column' | 'change-log';
  /** What else the merge did to the workbook, and what stayed: a sentence each, out of what was really done. */
  changes: string[];
};

export type ExportOutput = { bytes: Uint8Array; fileName: string; contentType: string };

const PROGRESS_STEPS = ['reading-log', 'reading-tickets', 'checking', 'scoring', 'matching', 'proposing'] as const;
export type ProgressStep = (typeof PROGRESS_STEPS)[number];
export type Progress = { step: ProgressStep; label: string; done: number; total: number };

/** The jobs of the worker thread: what goes in and what comes out, by name. */
export type HazardJobs = {
  inspect: { input: { bytes: Uint8Array; fileName: string }; output: InspectedFile };
  analyse: { input: AnalyseInput; output: AnalysisResult };
  merge: { input: MergeInput; output: MergeOutput };
  exportNewHazards: { input: { result: AnalysisResult; rows: RowDecision[] }; output: ExportOutput };
  exportTickets: { input: { result: AnalysisResult; format: 'csv' | 'xlsx' }; output: ExportOutput };
};
export type HazardJobName = keyof HazardJobs;

export type JobRequest = {
  [Name in HazardJobName]: { id: number; job: Name; input: HazardJobs[Name]['input'] };
}[HazardJobName];
/** The long lists of a result. They come in parts, so that taking them in never holds up the main thread. */
export type ResultPart = {
  [Field in 'existingHazards' | 'tickets' | 'findings']: { field: Field; items: AnalysisResult[Field] };
}['existingHazards' | 'tickets' | 'findings'];
export type JobReply =
  | { id: number; kind: 'part'; part: ResultPart }
  | { id: number; kind: 'progress'; progress: Progress }
  | { id: number; kind: 'done'; output: HazardJobs[HazardJobName]['output'] }
  | { id: number; kind: 'failed'; code: HazardFileErrorCode; message: string };

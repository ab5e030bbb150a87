import type { Evidence } from '../../../../models/contracts/clinical_safety/evidence.ts';
import type { AnalysisResult, MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Addition } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { CheckedReport } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import type { ZipEntry } from '../../../engine/files/zipArchive.ts';
import type { ComplianceInput, Standing } from '../compliance/complianceInput.ts';
import type { HazardFileErrorCode } from '../errors.ts';
import type { IncidentInput, IncidentSummary } from '../incident/incidentInput.ts';
import type { LogIdentity } from '../reading/headingKeys.ts';
import type { OpenPoint } from '../reading/openPoints.ts';
import type { LogToCompare } from '../reportCheck/checkReport.ts';
import type { ReportInput } from '../reports/reportInput.ts';

/** An uploaded file, with the SHA-256 of its bytes in hex. */
type HazardFile = { bytes: Uint8Array; fileName: string; digest: string };

/** A ticket from an export or a tracker. */
export type TicketRecord = {
  key: string;
  summary: string;
  description: string;
  /** The tracker's own value; empty where unknown. */
  type?: string;
  labels?: string;
};

/** Tickets fetched by a connector; `source` is for people to read, e.g. "Jira, project EPS". */
type FetchedTickets = { records: TicketRecord[]; source: string; digest: string };

export type InspectedFile = {
  kind: 'hazard-log' | 'tickets' | 'safety-report';
  fileName: string;
  /** Data rows: those of the log's table, tickets, or sections of a report. */
  rowCount: number;
  /** Sentences about oddities that don't prevent reading: macros, external links, no ratings. */
  remarks: string[];
};

/** A person's decision whether a hazard covers a ticket. It holds while the texts that were judged are the same. */
export type MatchDecision = {
  ticketKey: string;
  /** The hazard's id in the log as it was then. */
  hazardId: string;
  covers: boolean;
  ticketDigest: string;
  hazardDigest: string;
  /** ISO 8601. */
  at: string;
};

export type AnalyseInput = {
  log: HazardFile;
  tickets: HazardFile | FetchedTickets | null;
  decisions?: MatchDecision[];
  /** What a person chose where the log can be read in several ways. */
  settled?: SettledPoint[];
  /** The ISO day for "reviewed more than a year ago"; by default the latest date in the log. */
  asOf?: string;
  /** The text of the log's safety case report, to compare counts, versions and transferred controls. */
  report?: { fileName: string; text: string };
};

/** A log's profile, as far as it is needed to tell whether a file is a version of that log. */
export type KnownProfile = LogIdentity & { id: string; settled: SettledPoint[] };

/** What has to be asked before a log is read. */
export type OpenPointsOutput = {
  /** Null where the file holds no log. */
  identity: LogIdentity | null;
  openPoints: OpenPoint[];
  /** The profile that fits the log, and its choices; null where none does. */
  profileId: string | null;
  settled: SettledPoint[];
};

/** Who reviewed the rows, and when (ISO 8601). Its day in the company's time zone is written into the Change log. */
type Review = { reviewer: string; decidedAt: string; role?: string; surface?: string };

/** Who decided one row, by its proposal's id; other rows were decided by whoever sent the review. */
export type RowReviews = Record<string, Review>;

export type MergeInput = {
  /** The current log. If it changed since the analysis, the conflicts say so. */
  log: HazardFile;
  result: AnalysisResult;
  rows: RowDecision[];
  review: Review;
  rowReviews?: RowReviews;
  /** The company's time zone, for the days in the Change log; UTC where it is absent. */
  timeZone?: string;
  /** The head of the account's audit chain, for the Change log. */
  auditHead?: string;
};

export type MergeOutput = {
  bytes: Uint8Array;
  fileName: string;
  conflicts: MergeConflict[];
  /** What was written: the proposal, its hazard's id in the log, its row, whether the hazard is new, and how many. */
  merged: { id: string; hazardId: string; sheet: string; row: number; as: 'hazard' | Addition['as']; count: number }[];
  /**
   * Where the status “Proposed – CSO review” was written: in the log, or only in the Change log if the log's status
   * column is missing or does not allow it.
   */
  statusWritten: 'column' | 'change-log';
  /** Rows of the new hazards: in a log with a row for each control, a hazard has several. */
  hazardRows: number;
  /** Sentences about the other changes to the workbook, and about what stayed the same. */
  changes: string[];
};

export type ExportOutput = { bytes: Uint8Array; fileName: string; contentType: string };

const PROGRESS_STEPS = ['reading-log', 'reading-tickets', 'checking', 'scoring', 'matching', 'proposing'] as const;
export type ProgressStep = (typeof PROGRESS_STEPS)[number];
export type Progress = { step: ProgressStep; label: string; done: number; total: number };

/** The input and output of the worker thread's jobs, by name. */
export type HazardJobs = {
  inspect: { input: { bytes: Uint8Array; fileName: string; profiles: KnownProfile[] }; output: InspectedFile };
  findOpenPoints: {
    input: { bytes: Uint8Array; fileName: string; profiles: KnownProfile[] };
    output: OpenPointsOutput;
  };
  analyse: { input: AnalyseInput; output: AnalysisResult };
  /** The texts of some tickets of an export. */
  ticketTexts: { input: { tickets: HazardFile; keys: string[] }; output: { records: TicketRecord[] } };
  merge: { input: MergeInput; output: MergeOutput };
  exportNewHazards: {
    input: { result: AnalysisResult; rows: RowDecision[]; rowReviews?: RowReviews };
    output: ExportOutput;
  };
  exportTickets: { input: { result: AnalysisResult; format: 'csv' | 'xlsx' }; output: ExportOutput };
  checkReport: { input: { bytes: Uint8Array; fileName: string; log: LogToCompare | null }; output: CheckedReport };
  writeCaseReport: { input: ReportInput; output: ExportOutput & { gaps: number } };
  writeComplianceSheet: { input: ComplianceInput; output: ExportOutput & { standings: Record<Standing, number> } };
  writeIncidentRecord: { input: IncidentInput; output: ExportOutput & { summary: IncidentSummary } };
  exportEvidence: { input: Evidence; output: ExportOutput };
  printEvidence: { input: Evidence; output: ExportOutput };
  /** `text`: the evidence as JSON; `chain`: rows of the audit chain, one a line. */
  writeRelease: {
    input: { pack: Evidence; text: string; chain: string };
    output: { entries: ZipEntry[]; files: { name: string; bytes: number; sha256: string }[] };
  };
};
export type HazardJobName = keyof HazardJobs;

export type JobRequest = {
  [Name in HazardJobName]: { id: number; job: Name; input: HazardJobs[Name]['input'] };
}[HazardJobName];
/** A part of a result's long lists. They are sent in parts, so that receiving them does not block the main thread. */
export type ResultPart = {
  [Field in 'existingHazards' | 'tickets' | 'findings']: { field: Field; items: AnalysisResult[Field] };
}['existingHazards' | 'tickets' | 'findings'];
export type JobReply =
  | { id: number; kind: 'part'; part: ResultPart }
  | { id: number; kind: 'progress'; progress: Progress }
  | { id: number; kind: 'done'; output: HazardJobs[HazardJobName]['output'] }
  | { id: number; kind: 'failed'; code: HazardFileErrorCode; message: string };

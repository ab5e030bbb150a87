import { z } from 'zod';
import { matchChoice, modelChoices, modelDrafts, possibleMatch } from './matches.ts';
import { place } from './place.ts';
import { newHazard } from './proposals.ts';
import { settledPoint } from './settledPoint.ts';

export type Place = z.infer<typeof place>;

/** The columns that the analyser recognises; docs/clinical-safety.md, 2. */
const CANONICAL_COLUMNS = [
  'id',
  'name',
  'description',
  'type',
  'clinical_impact',
  'cause_id',
  'cause',
  'existing_controls',
  'initial_severity',
  'initial_likelihood',
  'initial_risk',
  'control_id',
  'control_text',
  'control_type',
  'control_owner',
  'control_design',
  'control_test',
  'control_training',
  'control_business',
  'action',
  'action_status',
  'residual_severity',
  'residual_likelihood',
  'residual_risk',
  'rationale',
  'notes',
  'owner',
  'status',
  'release',
  'evidence',
  'review_date',
] as const;
const canonicalColumn = z.enum(CANONICAL_COLUMNS);
export type CanonicalColumn = z.infer<typeof canonicalColumn>;

/** The columns of ratings, before and after controls. */
export const RATING_COLUMNS = [
  ...(['initial_severity', 'initial_likelihood', 'initial_risk'] as const),
  ...(['residual_severity', 'residual_likelihood', 'residual_risk'] as const),
] satisfies CanonicalColumn[];

/** One rating as the log records it. */
const rating = z.object({
  /** The word or number as written, spaces trimmed; null where blank. */
  severity: z.string().nullable(),
  /** As severity. */
  likelihood: z.string().nullable(),
  /** The recorded risk; null where blank or not a number. */
  risk: z.number().nullable(),
  /** The risk as written where it has no number: "High"; absent where it has one or is blank, and before engine 1.15. */
  riskWord: z.string().optional(),
  /** The risk that the applied matrix gives for severity and likelihood; null where it has none, or gives words. */
  expectedRisk: z.number().nullable(),
  /** The word that it gives, of a matrix in words; absent for any other, and before engine 1.15. */
  expectedWord: z.string().optional(),
});
export type Rating = z.infer<typeof rating>;

const control = z.object({
  /** The control measure, in place or planned. */
  text: z.string(),
  kind: z.enum(['existing', 'design', 'test', 'training', 'business', 'unspecified']),
  owner: z.string().nullable(),
  /** Status of the action behind the control, as written. */
  status: z.string().nullable(),
  /** A ticket, test or document named as evidence, as written. */
  evidence: z.string().nullable(),
  place,
});
export type Control = z.infer<typeof control>;

/** One hazard of the customer's log, however many rows it takes. */
export const existingHazard = z.object({
  /** The log's own id, trimmed; "row 12" (stable) where the log has none. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string().nullable(),
  causes: z.array(z.object({ id: z.string().nullable(), text: z.string(), place })),
  clinicalImpact: z.string(),
  initial: rating,
  residual: rating,
  controls: z.array(control),
  owner: z.string().nullable(),
  status: z.string().nullable(),
  /** The log's own rationale, as written; absent where it gives none, and in results before engine 1.8. */
  rationale: z.string().optional(),
  /** The date of its next or last review, as written; absent where there is none, and in results before engine 1.10. */
  reviewDate: z.string().optional(),
  /** Ticket keys named in this hazard's rows. */
  ticketKeys: z.array(z.string()),
  /** Knowledge-base entries nearest to it, best first. */
  kbIds: z.array(z.string()),
  /** First and last sheet row (1-based) and the sheet. */
  rows: z.object({ sheet: z.string(), first: z.number().int(), last: z.number().int() }),
});
export type ExistingHazard = z.infer<typeof existingHazard>;

const findingLevel = z.enum(['fix', 'check', 'note']);
/** A finding: something in the log that a Clinical Safety Officer needs to know (docs/clinical-safety.md, 7). */
export const finding = z.object({
  /** Stable for the same log: rule, hazard and place. */
  id: z.string(),
  /** The rule's name, e.g. "risk-differs-from-matrix". */
  rule: z.string(),
  /** fix: breaks the log's own rules; check: a person has to judge; note: for information. */
  level: findingLevel,
  /** A line for a list. */
  title: z.string(),
  /** What is wrong, with the figures, in a sentence or two. */
  message: z.string(),
  hazardId: z.string().nullable(),
  /** The cells that show it. */
  places: z.array(place),
  /** As recorded. */
  found: z.string().nullable(),
  /** The value that the rule expects. */
  expected: z.string().nullable(),
  /** DCB0129 clause, e.g. "4.4.1"; null where it is good practice. */
  clause: z.string().nullable(),
});
export type Finding = z.infer<typeof finding>;

const relevance = z.enum(['relevant', 'unsure', 'not']);
/** The verdict on one ticket, with its reasons. */
export const ticketVerdict = z.object({
  key: z.string(),
  summary: z.string(),
  relevance,
  /** Relevance score; `coverage` holds the thresholds. */
  score: z.number(),
  /** Knowledge-base ids, best first. */
  kbIds: z.array(z.string()),
  /** Hazards of the log that cover it, best first; empty where none does. */
  hazardIds: z.array(z.string()),
  /**
   * How it is covered: `link`, a name in the log or the ticket; `person`, confirmed by a person. `match` exists in
   * results before engine 1.2 only.
   */
  coveredBy: z.enum(['link', 'match', 'person']).nullable(),
  /** Hazards with similar wording, best first: for a person to confirm, never counted as covered. */
  possibleHazardIds: z.array(z.string()).optional(),
  /** The same with what speaks for each; absent in results before engine 1.5. */
  possible: z.array(possibleMatch).optional(),
  /** Ids of the next nearest hazards, for a person to choose from; only where there are possible ones. */
  others: z.array(z.string()).optional(),
  /** What a language model chose; absent where none was asked, or its answer did not pass the check. */
  choice: matchChoice.optional(),
  /** Digest of the ticket's texts, where a person is asked about it. A decision holds only for these texts. */
  digest: z.string().optional(),
  /** The deciding words, verbatim from the ticket; empty where there are none. */
  quote: z.string(),
});
export type TicketVerdict = z.infer<typeof ticketVerdict>;

/** Something of the file that no hazard was read from, and where it stands. */
const unread = z.object({
  /** A whole sheet, a column of the log, rows of the log's sheet, or what looks like a hazard's id. */
  what: z.enum(['sheet', 'column', 'rows', 'id']),
  /** Its name, heading, first words, or the id. */
  label: z.string(),
  /** How much of it there is, or what it was used for: "34 rows", "rows 45 to 52", "read for the risk matrix alone". */
  note: z.string(),
  place,
});
export type Unread = z.infer<typeof unread>;

/** The applied matrix: the log's own, the NHS default, or a numeric scale (named). */
export const logMatrix = z.object({
  source: z.enum(['log', 'nhs', 'numeric', 'none']),
  /**
   * stated: the file brings it; chosen: a person chose it; consistent: most recorded risks follow it; assumed: only the
   * kind of ratings speaks for it; contradicted: the file brings it, and most recorded risks differ from it. Absent
   * for none, and in results before engine 1.4.
   */
  basis: z.enum(['stated', 'consistent', 'assumed', 'contradicted', 'chosen']).optional(),
  /** For people: "Risk Matrix sheet of this workbook", "NHS 5x5 (DCB0129 4.2)". */
  name: z.string(),
  place: place.nullable(),
  severities: z.array(z.string()),
  likelihoods: z.array(z.string()),
  /** Rows likelihood (in the order of likelihoods), columns severity. */
  cells: z.array(z.array(z.number())),
  /**
   * What the cells say, of a matrix in words: "High". Its numbers are then the places of the words from the lowest, 1 on,
   * and no risks. Absent for a matrix of numbers.
   */
  levels: z.array(z.array(z.string())).optional(),
});

/** How the log was read, so that a person can check the mapping. */
const logShape = z.object({
  fileName: z.string(),
  format: z.enum(['xlsx', 'xlsm', 'xls', 'csv', 'markdown', 'html', 'docx']),
  sheet: z.string(),
  /** 1-based rows of the header (two where it is grouped). */
  headerRows: z.array(z.number().int()),
  firstDataRow: z.number().int(),
  lastDataRow: z.number().int(),
  /** wide: one row a hazard; long: one row a cause or control. */
  layout: z.enum(['wide', 'long', 'empty']),
  columns: z.array(z.object({ canonical: canonicalColumn, header: z.string(), column: z.string() })),
  /** Headers that match no canonical column. */
  unmatched: z.array(z.object({ header: z.string(), column: z.string() })),
  rowCount: z.number().int(),
  /** What no hazard was read from, up to 200 of each kind; absent in results before engine 1.3. */
  unread: z.array(unread).optional(),
  matrix: logMatrix,
  /** The log's version as its file name, cover sheet and so on state it. */
  versions: z.array(z.object({ source: z.string(), version: z.string(), place: place.nullable() })),
  /** What a person chose where the log can be read in several ways; absent where nothing was asked. */
  settled: z.array(settledPoint).optional(),
  /** Unusual features that do not stop the reading: external links, macros, hidden sheets, several log sheets. */
  remarks: z.array(z.string()),
});
export type LogShape = z.infer<typeof logShape>;

const coverage = z.object({
  /** Relevant tickets that a hazard names, that name a hazard, or that a person confirmed. */
  covered: z.number().int(),
  /** Relevant tickets with a similarly worded hazard; not counted as covered. Absent in results before engine 1.2. */
  possible: z.number().int().optional(),
  /** Relevant tickets that are neither covered nor possible; absent in results before engine 1.2. */
  none: z.number().int().optional(),
  /** Tickets at or above the relevance threshold. */
  relevant: z.number().int(),
  /** Tickets below `relevanceThreshold` and at or above `unsureThreshold`; listed. */
  unsure: z.number().int(),
  /** Relevant tickets that no hazard covers and no proposal names; absent in older results. */
  unproposed: z.number().int().optional(),
  /** Match score from which a hazard counts as possible. */
  threshold: z.number(),
  relevanceThreshold: z.number(),
  unsureThreshold: z.number(),
});
export type Coverage = z.infer<typeof coverage>;

export const analysisMetadata = z.object({
  /** 100 × covered / relevant, rounded; null where no ticket is relevant. */
  coverageScore: z.number().int().nullable(),
  coverage,
  jiraAnalysis: z.object({
    /** Number of unique tickets that were scored. */
    ticketsAnalyzed: z.number().int(),
    duplicates: z.number().int(),
    empty: z.number().int(),
    source: z.string().nullable(),
  }),
  /** False where only the built-in engine was used; otherwise the model's name. */
  modelUsed: z.union([z.literal(false), z.string()]),
  /** What it chose; absent where no model was asked to choose. */
  modelChoices: modelChoices.optional(),
  /** What it drafted; absent where no model was asked to draft. */
  modelDrafts: modelDrafts.optional(),
  log: logShape,
  /** Standard and its version, e.g. "DCB0129 4.2". */
  standard: z.string(),
  engineVersion: z.string(),
  /** SHA-256 of the log file and of the tickets file. */
  logDigest: z.string(),
  ticketsDigest: z.string().nullable(),
});

/** The whole result of one analysis. Deterministic without a language model: the same input gives the same bytes. */
export const analysisResult = z.object({
  existingHazards: z.array(existingHazard),
  newHazards: z.array(newHazard),
  findings: z.array(finding),
  tickets: z.array(ticketVerdict),
  analysisMetadata,
});
export type AnalysisResult = z.infer<typeof analysisResult>;

/** A change of the log between the analysis and the merge. */
export const mergeConflict = z.object({
  hazardId: z.string(),
  kind: z.enum(['id-taken', 'hazard-changed', 'already-merged', 'column-missing', 'not-added']),
  message: z.string(),
  place: place.nullable(),
});
export type MergeConflict = z.infer<typeof mergeConflict>;

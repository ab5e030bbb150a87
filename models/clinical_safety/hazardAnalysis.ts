import type { Types } from 'mongoose';
import type { HazardAnalysisStatus } from '../contracts/clinical_safety/hazardAnalysis.ts';
import type { MergeConflict } from '../contracts/clinical_safety/hazards.ts';
import type { ReadAs } from '../contracts/clinical_safety/readingProfiles.ts';
import { fromEarlier, type RowDecision } from '../contracts/questionRows.ts';
import type { Signature, StoredDecider } from '../interrupt.ts';
import { entity } from '../store/entity.ts';

/** The figures of an analysis as its list shows them. */
export type AnalysisFigures = {
  hazards: number;
  toFix: number;
  toCheck: number;
  covered: number;
  relevant: number;
  ticketsAnalysed: number;
};

/** One analysis of a hazard log. The result is stored in files, because it may exceed the 16 MB limit of a document. */
/** Counts of what changed since the analysis before of the same log. */
export type AnalysisChanges = {
  hazards: { added: number; removed: number; rerated: number };
  /** Findings to fix or check. */
  findings: { fixed: number; added: number };
  /** Relevant tickets covered then; null where coverage had no figure. */
  coverageBefore: { covered: number; relevant: number } | null;
};

export type HazardAnalysisRow = {
  _id: number;
  accountId: number;
  userAgentId: number;
  userId: number | null;
  runId: Types.ObjectId;
  /** Whether the log is a sample that Arc brought. Absent in rows of earlier versions. */
  isSample?: boolean;
  status: HazardAnalysisStatus;
  logFileId: Types.ObjectId;
  logFileName: string;
  ticketsFileId: Types.ObjectId | null;
  ticketsFileName: string | null;
  headline: string;
  /** The analysis before of the same log; null where there is none. Absent in rows of earlier versions. */
  earlierId?: number | null;
  /** The version that the log states of itself; null where it states none. Absent in rows of earlier versions. */
  logVersion?: string | null;
  /** What is other than in the analysis before; null where there is none. Absent in rows of earlier versions. */
  changes?: AnalysisChanges | null;
  /** Null until there is a result, and in rows of earlier versions. */
  figures?: AnalysisFigures | null;
  /**
   * The result as gzipped JSON in three files: the result without its long lists, its hazards, and the ticket verdicts.
   */
  resultFileId: Types.ObjectId | null;
  hazardsFileId: Types.ObjectId | null;
  ticketsResultFileId: Types.ObjectId | null;
  decisions: RowDecision[] | null;
  /** Who sent the review. */
  decidedBy: { name: string; at: Date; via: string } | null;
  /** Who decided each row of the review; absent in analyses of earlier versions. */
  decidedRows?: StoredDecider[];
  /** Who signed the review; absent where nobody did. */
  signatures?: Pick<Signature, 'userId' | 'name' | 'registration' | 'reason' | 'at'>[];
  newHazardsFileName: string | null;
  mergedFileName: string | null;
  conflicts: MergeConflict[];
  /** Whose choices the log was read by; null where nothing had to be chosen. */
  readAs: {
    profileId: string;
    by: { userId: number | null; name: string };
    at: Date;
    points: ReadAs['points'];
  } | null;
  createdAt: Date;
};

/** The status of an analysis by the decisions on its proposals. */
export function statusByDecisions(decisions: readonly Pick<RowDecision, 'outcome'>[]): HazardAnalysisStatus {
  if (decisions.length === 0) return 'complete';
  return decisions.some(({ outcome }) => outcome !== 'rejected') ? 'reviewed' : 'none-accepted';
}

/** The statuses that stay when the run of an analysis ends: nothing, or only possible matches, was left to decide. */
export const STATUSES_DECIDED: readonly HazardAnalysisStatus[] = ['complete', 'reviewed', 'none-accepted', 'merged'];

export const HazardAnalysis = entity<HazardAnalysisRow>({
  name: 'HazardAnalysis',
  collection: 'hazardAnalyses',
  scope: 'customer',
  fields: {
    _id: Number,
    userAgentId: Number,
    userId: { type: Number, default: null },
    runId: 'ObjectId',
    isSample: { type: Boolean, default: false },
    status: String,
    logFileId: 'ObjectId',
    logFileName: String,
    ticketsFileId: { type: 'ObjectId', default: null },
    ticketsFileName: { type: String, default: null },
    headline: { type: String, default: '' },
    earlierId: { type: Number, default: null },
    logVersion: { type: String, default: null },
    changes: { type: Object, default: null },
    figures: { type: Object, default: null },
    resultFileId: { type: 'ObjectId', default: null },
    hazardsFileId: { type: 'ObjectId', default: null },
    ticketsResultFileId: { type: 'ObjectId', default: null },
    decisions: { type: [Object], default: null },
    decidedBy: { type: Object, default: null },
    decidedRows: { type: [Object], default: [] },
    signatures: { type: [Object], default: [] },
    newHazardsFileName: { type: String, default: null },
    mergedFileName: { type: String, default: null },
    conflicts: { type: [Object], default: [] },
    readAs: { type: Object, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  names: [
    { name: 'decidedBy.name' },
    { name: 'decidedRows.name', userId: 'decidedRows.userId', isList: true },
    { name: 'signatures.name', userId: 'signatures.userId', isList: true },
    { name: 'readAs.by.name', userId: 'readAs.by.userId' },
  ],
  indexes: [[{ accountId: 1, createdAt: -1 }], [{ runId: 1 }, { unique: true }]],
  migrations: [
    {
      title: 'decisions name the match that was chosen as every question does',
      change: (row) => ({
        ...row,
        decisions: row.decisions?.map((decided: RowDecision) => fromEarlier(decided)) ?? null,
      }),
    },
    {
      title: 'an analysis without an accepted proposal is not reviewed',
      change(row) {
        const { status, decisions } = row as HazardAnalysisRow;
        return status === 'reviewed' ? { ...row, status: statusByDecisions(decisions ?? []) } : row;
      },
    },
  ],
});

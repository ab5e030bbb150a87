import { z } from 'zod';
import { startedWork } from '../chat.ts';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { rowDecision } from '../questionRows.ts';
import { analysisMetadata, existingHazard, finding, mergeConflict, ticketVerdict } from './hazards.ts';
import { newHazard } from './proposals.ts';
import { readAs } from './readingProfiles.ts';

/** `complete`: nothing was proposed, so nothing was reviewed. `none-accepted`: reviewed, and there is nothing to merge. */
export const hazardAnalysisStatus = z.enum([
  'running',
  'complete',
  'in-review',
  'reviewed',
  'none-accepted',
  'merged',
  'failed',
  'cancelled',
]);
export type HazardAnalysisStatus = z.infer<typeof hazardAnalysisStatus>;

/** Display names of the states of an analysis. */
export const ANALYSIS_STATUS_NAMES: Record<HazardAnalysisStatus, string> = {
  running: 'Running',
  'in-review': 'Waiting for review',
  complete: 'Complete',
  reviewed: 'Reviewed',
  'none-accepted': 'Nothing accepted',
  merged: 'Merged',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/**
 * The state of an analysis as people read it. One that has a result was not cancelled: its review was withdrawn, mostly
 * by a newer analysis.
 */
export const analysisStatusName = (status: HazardAnalysisStatus, hasResult: boolean): string =>
  status === 'cancelled' && hasResult ? 'Review withdrawn' : ANALYSIS_STATUS_NAMES[status];

/** One analysis as the card and the chat show it. */
export const hazardAnalysis = z.object({
  id: z.number().int(),
  status: hazardAnalysisStatus,
  createdAt: isoDate,
  userAgentId: z.number().int(),
  logFileName: z.string(),
  ticketsFileName: z.string().nullable(),
  headline: z.string(),
  existingHazards: z.array(existingHazard),
  newHazards: z.array(newHazard),
  findings: z.array(finding),
  analysisMetadata: analysisMetadata.nullable(),
  /** The review's rows once it is answered. */
  decisions: z.array(rowDecision).nullable(),
  interruptId: z.number().int().nullable(),
  /** The pending question about possible matches; null where there is none. */
  matchesInterruptId: z.number().int().nullable(),
  /** Names for /api/download/{fileName}; null until there is one. */
  files: z.object({ newHazards: z.string().nullable(), merged: z.string().nullable() }),
  conflicts: z.array(mergeConflict),
  /** Whose choices the log was read by; null where nothing had to be chosen. */
  readAs: readAs.nullable(),
});
export type HazardAnalysis = z.infer<typeof hazardAnalysis>;

export const latestAnalysis = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/latest/:userId',
  summary: 'The newest analysis; null where there is none',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ userId: idParam }),
  answer: hazardAnalysis.nullable(),
});

export const analysisTickets = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/tickets',
  summary: 'The verdict on every ticket',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answer: z.array(ticketVerdict),
});

export const exportTickets = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/tickets.csv',
  summary: 'The verdict on every ticket, as CSV',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answerType: 'file',
});

export const createMergedHazardLog = endpoint({
  method: 'post',
  path: '/api/hazard-analysis/create-merged-hazard-log',
  summary: 'Merge the accepted hazards into the log; repeating it returns the same file',
  policy: 'signed-in',
  startsWork: true,
  body: z.object({ analysisResultId: idParam }),
  answer: z.object({ downloadUrl: z.string(), filename: z.string(), conflicts: z.array(mergeConflict) }),
});

export const analyseHazardLog = endpoint({
  method: 'post',
  path: '/api/clinical-safety-agent/:id/analyze-hazard-log',
  summary: 'Start the analysis of the uploaded log and tickets',
  policy: 'signed-in',
  scopes: ['analyses:run'],
  startsWork: true,
  rate: ['chat', 'chatAccount'],
  params: z.object({ id: idParam }),
  body: z.object({
    message: z.string().trim().max(8000).optional(),
    /** Id of the open review to withdraw; required where it already has decisions. */
    withdrawQuestion: idParam.optional(),
  }),
  answer: startedWork,
});

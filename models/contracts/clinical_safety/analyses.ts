import { z } from 'zod';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { hazardAnalysis, hazardAnalysisStatus } from './hazardAnalysis.ts';

/** The newest analyses are listed, up to this many. */
export const MAX_ANALYSES_LISTED = 200;

/** The page of one analysis. */
export const analysisPath = (id: number): string => `/analyses/${id}`;

/**
 * One hazard, opened on the page of its analysis.
 * @param firstRow tells hazards with the same id apart
 */
export const hazardPath = (id: number, { hazardId, firstRow }: { hazardId: string; firstRow: number }): string =>
  `${analysisPath(id)}?${new URLSearchParams({ show: 'hazards', hazard: hazardId, row: String(firstRow) })}`;

/** One finding, opened on the page of its analysis. */
export const findingPath = (id: number, findingId: string): string =>
  `${analysisPath(id)}?${new URLSearchParams({ show: 'findings', finding: findingId })}`;

/** The findings of an analysis that are assigned to whoever opens the page. */
export const ownFindingsPath = (id: number): string => `${analysisPath(id)}?show=findings&mine`;

const analysisSummary = z.object({
  id: z.number().int(),
  createdAt: isoDate,
  status: hazardAnalysisStatus,
  logFileName: z.string(),
  /** The version that the log states of itself. */
  logVersion: z.string().nullable(),
  ticketsFileName: z.string().nullable(),
  isSample: z.boolean(),
  /** The headline, which has figures of an earlier version in words. */
  headline: z.string(),
  /** Null until there is a result, and in analyses of earlier versions. */
  figures: z
    .object({
      hazards: z.number().int(),
      toFix: z.number().int(),
      toCheck: z.number().int(),
      covered: z.number().int(),
      relevant: z.number().int(),
      ticketsAnalysed: z.number().int(),
    })
    .nullable(),
  /** Who started it; null for a schedule, and for people who left. */
  by: z.string().nullable(),
});
export type AnalysisSummary = z.infer<typeof analysisSummary>;

export const listAnalyses = endpoint({
  method: 'get',
  path: '/api/hazard-analyses',
  summary: `The company’s analyses, the newest first, up to ${MAX_ANALYSES_LISTED}`,
  policy: 'signed-in',
  scopes: ['analyses:read'],
  answer: z.array(analysisSummary),
});

export const readAnalysis = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id',
  summary: 'One analysis with its result',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answer: hazardAnalysis,
});

export const openAnalysisInChat = endpoint({
  method: 'post',
  path: '/api/hazard-analysis/:id/open',
  summary: 'Open an analysis in a conversation of arc-chat: what is asked there is answered from it',
  policy: 'signed-in',
  params: z.object({ id: idParam }),
  answer: z.object({ conversationId: z.string() }),
});

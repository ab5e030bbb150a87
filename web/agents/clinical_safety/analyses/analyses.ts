import { listAnalyses, openAnalysisInChat } from '../../../../models/contracts/clinical_safety/analyses.ts';
import {
  ANALYSIS_STATUS_NAMES,
  type HazardAnalysis,
} from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { LIMITS, POLLS } from '../../../../models/contracts/limits.ts';
import { call } from '../../../data/call.ts';
import { openThread } from '../../../data/threads.ts';
import { useCall } from '../../../data/useCall.ts';
import type { TagTone } from '../../../parts/Tag.tsx';

/** Where the list of analyses is. */
export const ANALYSES_PATH = 'analyses';
export const ANALYSES_TITLE = 'Analyses';
export const ANALYSIS_STATUSES: Record<HazardAnalysis['status'], { label: string; tone: TagTone }> = {
  running: { label: ANALYSIS_STATUS_NAMES.running, tone: 'accent' },
  'in-review': { label: ANALYSIS_STATUS_NAMES['in-review'], tone: 'waiting' },
  complete: { label: ANALYSIS_STATUS_NAMES.complete, tone: 'plain' },
  reviewed: { label: ANALYSIS_STATUS_NAMES.reviewed, tone: 'done' },
  'none-accepted': { label: ANALYSIS_STATUS_NAMES['none-accepted'], tone: 'plain' },
  merged: { label: ANALYSIS_STATUS_NAMES.merged, tone: 'done' },
  failed: { label: ANALYSIS_STATUS_NAMES.failed, tone: 'error' },
  cancelled: { label: ANALYSIS_STATUS_NAMES.cancelled, tone: 'plain' },
};

/** By error code: why an analysis can't be shown, and what to do. */
export const ANALYSIS_REFUSALS = {
  not_found: {
    title: 'This analysis can’t be shown',
    text: 'It does not exist, or it belongs to another company.',
  },
  expired: {
    title: 'The result is no longer kept',
    text: `Results are kept for ${LIMITS.retentionDays} days. Analyse the log again for a new one.`,
  },
};

/** The company's analyses, the newest first. */
export const useAnalyses = () => useCall(listAnalyses, {}, { poll: POLLS.result });

/** Opens an analysis in a conversation, which becomes the one that is open. */
export async function openInChat(id: number): Promise<void> {
  const { conversationId } = await call(openAnalysisInChat, { params: { id } });
  await openThread(conversationId);
}

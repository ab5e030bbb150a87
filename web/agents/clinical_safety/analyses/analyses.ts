import { listAnalyses, openAnalysisInChat } from '../../../../models/contracts/clinical_safety/analyses.ts';
import {
  analysisStatusName,
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

const STATUS_TONES: Record<HazardAnalysis['status'], TagTone> = {
  running: 'accent',
  'in-review': 'waiting',
  complete: 'plain',
  reviewed: 'done',
  'none-accepted': 'plain',
  merged: 'done',
  failed: 'error',
  cancelled: 'plain',
};

/** How the state of an analysis is shown. */
export const analysisTag = (
  status: HazardAnalysis['status'],
  hasResult: boolean,
): { label: string; tone: TagTone } => ({
  label: analysisStatusName(status, hasResult),
  tone: STATUS_TONES[status],
});

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

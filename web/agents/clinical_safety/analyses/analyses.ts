import { listAnalyses } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { POLLS } from '../../../../models/contracts/limits.ts';
import { useCall } from '../../../data/useCall.ts';
import type { TagTone } from '../../../parts/Tag.tsx';

/** Where the list of analyses is. */
export const ANALYSES_PATH = 'analyses';
export const ANALYSES_TITLE = 'Analyses';
/** The address of one analysis. */
export const analysisUrl = (id: number): string => `/${ANALYSES_PATH}/${id}`;

export const ANALYSIS_STATUSES: Record<HazardAnalysis['status'], { label: string; tone: TagTone }> = {
  running: { label: 'Running', tone: 'accent' },
  'in-review': { label: 'Waiting for review', tone: 'waiting' },
  complete: { label: 'Complete', tone: 'plain' },
  reviewed: { label: 'Reviewed', tone: 'done' },
  'none-accepted': { label: 'Nothing accepted', tone: 'plain' },
  merged: { label: 'Merged', tone: 'done' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
};

/** The company's analyses, the newest first. */
export const useAnalyses = () => useCall(listAnalyses, {}, { poll: POLLS.result });

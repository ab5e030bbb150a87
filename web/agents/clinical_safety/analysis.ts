import { useSWRConfig } from 'swr';
import { readAnalysis } from '../../../models/contracts/clinical_safety/analyses.ts';
import {
  analyseHazardLog,
  analysisTickets,
  createMergedHazardLog,
  exportTickets,
  latestAnalysis,
} from '../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { POLLS } from '../../../models/contracts/limits.ts';
import { call, download, urlOf } from '../../data/call.ts';
import { useCall } from '../../data/useCall.ts';

/** The newest analysis of the account; null if there is none. */
export function useLatestAnalysis(userId: number | null) {
  return useCall(latestAnalysis, userId === null ? null : { params: { userId } }, { poll: POLLS.result });
}

/** One analysis; reads nothing while the id is null. */
export function useAnalysis(id: number | null) {
  return useCall(readAnalysis, id === null ? null : { params: { id } }, { poll: POLLS.result });
}

/** The verdict on every ticket of an analysis. */
export function useTickets(id: number | null) {
  return useCall(analysisTickets, id === null ? null : { params: { id } });
}

/** URL of the ticket verdicts as CSV. */
export function ticketsCsv(id: number): string {
  return urlOf(exportTickets, { params: { id } });
}

/**
 * Starts the analysis of the uploaded log and tickets.
 * @param withdrawQuestion id of the open review that the analysis may withdraw, even if decisions were made in it
 */
export async function startAnalysis(userAgentId: number, withdrawQuestion?: number): Promise<string> {
  const answer = await call(analyseHazardLog, {
    params: { id: userAgentId },
    body: withdrawQuestion === undefined ? {} : { withdrawQuestion },
  });
  return answer.response;
}

/** Merges the accepted hazards into the log and saves the workbook. */
export async function merge(analysisResultId: number): Promise<AnswerOf<typeof createMergedHazardLog>> {
  const merged = await call(createMergedHazardLog, { body: { analysisResultId } });
  await download(merged.downloadUrl, merged.filename || 'merged-hazard-log.xlsx');
  return merged;
}

/** Returns a function that reads the newest analysis again. */
export function useRefreshAnalysis(): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  return () => mutate((key) => typeof key === 'string' && key.startsWith('/api/hazard-analysis'));
}

import { z } from 'zod';
import {
  HazardAnalysis,
  type HazardAnalysisRow,
  STATUSES_DECIDED,
} from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { ReadingProfile } from '../../../../models/clinical_safety/readingProfile.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { linkToPage } from '../../../engine/delivery/consent.ts';
import { configuredModels } from '../../../engine/llm/model.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { readKept } from '../comparison/findEarlier.ts';
import { ENGINE_VERSION } from '../engineVersion.ts';
import type { CurrentFiles } from '../files/currentFiles.ts';
import { onlyReference } from './derived.ts';

const unchangedState = z.object({ analysisId: z.number(), analysedAt: z.string() });
type State = z.output<typeof unchangedState>;

/** Says that a scheduled analysis would find what the last one found. It costs nothing. */
export const unchangedWorkflow = defineWorkflow({
  name: 'hazard-analysis-unchanged',
  state: unchangedState,
  tool: 'hazardanalysis',
  title: 'Analyse the hazard log',
  first: 'tell',
  reserve: 0,
  steps: { tell: { label: 'Compare with the last analysis', run: tell } },
});

/**
 * The last analysis, where a new one of these files would find the same: the same files, the same rules, nothing about
 * the reading or the matches decided since, and no language model, whose answers may differ.
 * @returns null where a new one may find something else
 */
export async function findUnchanged(
  accountId: number,
  { logFileId, ticketsFileId }: Pick<CurrentFiles, 'logFileId' | 'ticketsFileId'>,
  models = configuredModels(),
): Promise<HazardAnalysisRow | null> {
  if (!logFileId || models.length > 0) return null;
  const last = await HazardAnalysis.findOne({ accountId, logFileId, resultFileId: { $ne: null } })
    .sort({ createdAt: -1 })
    .lean();
  // Then the open review has to be reported.
  if (!last || !STATUSES_DECIDED.includes(last.status)) return null;
  if (String(last.ticketsFileId) !== String(ticketsFileId)) return null;
  const [isReadAlike, match, result] = await Promise.all([
    isReadAsThen(last),
    TicketMatch.exists({ accountId, 'takenBack.at': { $gt: last.createdAt } }),
    readKept(last),
  ]);
  const isSame = result?.analysisMetadata.engineVersion === ENGINE_VERSION && !result.analysisMetadata.modelUsed;
  return isSame && isReadAlike && !match ? last : null;
}

/** Whether what people chose about the reading of a log still stands, and nothing was chosen since. */
async function isReadAsThen({ accountId, readAs, createdAt }: HazardAnalysisRow): Promise<boolean> {
  const since = readAs ? new Date(readAs.at) : createdAt;
  if (await ReadingProfile.exists({ accountId, chosenAt: { $gt: since } })) return false;
  return !readAs || (await ReadingProfile.exists({ _id: readAs.profileId, accountId, isForgotten: false })) !== null;
}

async function tell({ run, state, say }: StepContext<State>): Promise<StepResult<State>> {
  const result = linkToPage(analysisPath(state.analysisId));
  const text = `Nothing has changed since analysis ${state.analysisId} of ${await dayOf(run.accountId, state.analysedAt)}: the hazard log, the tickets and Arc’s rules are the same. I have analysed nothing, and it cost nothing. The result: ${result}`;
  await say({
    key: 'unchanged',
    kind: 'text',
    text,
    derived: onlyReference(`Nothing has changed since the last analysis. ${result}`),
  });
  return { done: { output: text }, cost: 0 };
}

import { randomUUID } from 'node:crypto';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import * as contract from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { downloadPath } from '../../../../models/contracts/files.ts';
import { digestOf } from '../../../../models/digest.ts';
import { Run } from '../../../../models/run.ts';
import { requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { type Call, defineCall, FileAnswer, JsonText } from '../../../engine/calls/call.ts';
import { openChat } from '../../../engine/conversations/threads.ts';
import { requireAgent, startWork } from '../../../engine/turns/startWork.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { waitForRun } from '../../../engine/workflows/waitForRun.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { currentFiles, ownFiles } from '../files/currentFiles.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { findLatestAnalysis, requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult, readTicketsJson } from '../results/results.ts';
import { exportTickets } from '../worker/pool.ts';
import { analyseWorkflow } from '../workflows/analyse.ts';
import { mergeState, mergeWorkflow } from '../workflows/merge.ts';
import { requireMergeable } from '../workflows/recordedReview.ts';
import { analysisCalls } from './analyses.ts';
import { assessmentCall } from './assessment.ts';
import { evidenceCalls } from './evidence.ts';
import { findingCalls } from './findingLives.ts';
import { matchDecisionCalls } from './matchDecisions.ts';
import { openInChat } from './openInChat.ts';
import { presentAnalysis } from './presentAnalysis.ts';
import { profileCalls } from './readingProfiles.ts';
import { safetyCaseCalls } from './safetyCase.ts';
import { sampleCall } from './sampleResult.ts';

const MERGE_TIMEOUT_MS = 60_000;

/** Only for the user's own id. @throws AppError not_found */
const readLatest = defineCall(
  contract.latestAnalysis,
  async ({ who, params }) => {
    if (params.userId !== who.userId) throw new AppError('not_found');
    const row = await findLatestAnalysis(who);
    return row && new JsonText(await presentAnalysis(row));
  },
  { topics: ['analysis', 'interrupts'] },
);

const readTickets = defineCall(
  contract.analysisTickets,
  async ({ who, params }) => new JsonText(await readTicketsJson(await requireAnalysis(who.accountId, params.id))),
  { topics: ['analysis'] },
);

const downloadTickets = defineCall(contract.exportTickets, async ({ who, params }) => {
  const result = await loadResult(await requireAnalysis(who.accountId, params.id));
  const file = await withFileErrors(exportTickets({ result, format: 'csv' }, { accountId: who.accountId }));
  await recordEvent(who.accountId, 'file.exported', {
    userId: who.userId,
    subject: `analysis:${params.id}:tickets`,
    outcome: 'downloaded',
    shownDigest: await digestOf(file.bytes),
  });
  return new FileAnswer(file);
});

const createMergedLog = defineCall(contract.createMergedHazardLog, async ({ who, body }) => {
  const { accountId } = who;
  const made = await HazardAnalysis.findOne({ _id: body.analysisResultId, accountId }, { userAgentId: 1 }).lean();
  if (!made) throw new AppError('no_analysis');
  const userAgent = await requireAgent(who, made.userAgentId);
  requireTool(userAgent, mergeWorkflow.tool ?? null);
  const analysis = await requireMergeable(accountId, made._id);
  const conversation = await openChat(who);
  const log = String((await ownFiles(conversation)).logFileId ?? analysis.logFileId);
  const work = beginWith(mergeWorkflow, 'Merge new lines into Hazard Log', { analysisId: analysis._id });
  const run = await startWork(who, userAgent, await mergeKey(accountId, `merge:${analysis._id}:${log}`), work);
  const ended = await waitForRun(run._id, MERGE_TIMEOUT_MS);
  if (ended?.status !== 'completed') {
    throw new AppError('not_available', {
      text: ended?.error ?? 'The merge is still running. The file will appear in the chat.',
    });
  }
  const { fileName: filename = '' } = mergeState.parse(ended.state);
  const { conflicts } = await requireAnalysis(accountId, analysis._id);
  return { downloadUrl: downloadPath(filename), filename, conflicts };
});

/** One run for each analysis and log: a repeated call returns the same file. One that failed can be tried again. */
async function mergeKey(accountId: number, key: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const startKey = attempt === 1 ? key : `${key}:${attempt}`;
    const run = await Run.findOne({ accountId, startKey }, { status: 1 }).lean();
    if (run?.status !== 'failed' && run?.status !== 'cancelled') return startKey;
  }
}

const analyseLog = defineCall(contract.analyseHazardLog, async ({ who, params, body }) => {
  const agent = await requireReadyAgentOf(who, params.id, 'clinical_safety');
  requireTool(agent, analyseWorkflow.tool ?? null);
  const conversation = await openChat(who);
  const { logFileId, ticketsFileId, companyLog } = await currentFiles(conversation);
  if (!logFileId) throw new AppError('no_log');
  const state = { logFileId, ticketsFileId, fromCompany: companyLog !== null };
  const work = beginWith(analyseWorkflow, body.message || 'Hazard log analysis', state);
  const run = await startWork(who, agent, `call:${randomUUID()}`, work, { who, withdraws: body.withdrawQuestion });
  return {
    success: true as const,
    runId: String(run._id),
    workspaceId: run.workspaceId ?? 0,
    response: 'The analysis has started. Its progress and its result appear in the chat and on the agent’s card.',
  };
});

/** The calls for the hazard analysis, its exports, the merge, how logs are read and what was decided on matches. */
export const calls: readonly Call[] = [
  readLatest,
  readTickets,
  downloadTickets,
  createMergedLog,
  assessmentCall,
  analyseLog,
  ...analysisCalls,
  openInChat,
  ...findingCalls,
  ...evidenceCalls,
  sampleCall,
  ...profileCalls,
  ...matchDecisionCalls,
  ...safetyCaseCalls,
];

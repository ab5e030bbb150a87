import { createHash, randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { currentFiles } from '../../bot/agents/clinical_safety/files/currentFiles.ts';
import { withFileErrors } from '../../bot/agents/clinical_safety/files/fileErrors.ts';
import { findLatestAnalysis, loadResult, readTicketsJson } from '../../bot/agents/clinical_safety/results/results.ts';
import { exportTickets } from '../../bot/agents/clinical_safety/worker/pool.ts';
import { requireMergeable } from '../../bot/agents/clinical_safety/workflows/merge.ts';
import { recordEvent } from '../../bot/engine/accounts/recordEvent.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../bot/engine/agents/requireAgentOf.ts';
import { arcAddress, openConversation } from '../../bot/engine/turns/conversations.ts';
import { requireAgent, startWork } from '../../bot/engine/turns/startWork.ts';
import { waitForRun } from '../../bot/engine/workflows/waitForRun.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../models/clinical_safety/hazardAnalysis.ts';
import * as contract from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { Who } from '../../models/policies/who.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { presentAnalysisJson } from '../present/hazardAnalysis.ts';

const MERGE_MILLISECONDS = 60_000;

async function findAnalysis(who: Who, _id: number): Promise<HazardAnalysisRow> {
  const row = (await HazardAnalysis.findOne({ _id, accountId: who.accountId }).lean()) as HazardAnalysisRow | null;
  if (!row) throw new AppError('not_found');
  return row;
}

/** The hazard analysis and what follows from it. */
export function hazardAnalysisRoutes(router: Router): void {
  bind(
    router,
    contract.latestAnalysis,
    async ({ who, params, response }) => {
      if (params.userId !== who.userId) throw new AppError('not_found');
      const row = await findLatestAnalysis(who.accountId);
      if (!row) return null;
      response.type('application/json').send(await presentAnalysisJson(row));
      return ANSWERED;
    },
    { topics: ['analysis', 'interrupts'] },
  );

  bind(
    router,
    contract.analysisTickets,
    async ({ who, params, response }) => {
      response.type('application/json').send(await readTicketsJson(await findAnalysis(who, params.id)));
      return ANSWERED;
    },
    { topics: ['analysis'] },
  );

  bind(router, contract.exportTickets, async ({ who, params, response }) => {
    const result = await loadResult(await findAnalysis(who, params.id));
    const { bytes, fileName, contentType } = await withFileErrors(
      exportTickets({ result, format: 'csv' }, { accountId: who.accountId }),
    );
    await recordEvent(who.accountId, 'file.exported', {
      userId: who.userId,
      subject: `analysis:${params.id}:tickets`,
      outcome: 'downloaded',
      shownDigest: createHash('sha256').update(bytes).digest('hex'),
    });
    response.attachment(fileName).type(contentType).send(Buffer.from(bytes));
    return ANSWERED;
  });

  bind(router, contract.createMergedHazardLog, async ({ who, body }) => {
    const analysis = await requireMergeable(who.accountId, body.analysisResultId);
    const conversation = await openConversation(who.accountId, arcAddress(who.userId));
    const userAgent = await requireAgent(who, analysis.userAgentId);
    // One run per analysis and log: asked again, the same file is answered.
    const log = String(conversation.logFileId ?? analysis.logFileId);
    const run = await startWork(who, userAgent, `merge:${analysis._id}:${log}`, {
      workflow: 'hazard-merge',
      goal: 'Merge new lines into Hazard Log',
      state: { analysisId: analysis._id },
    });
    const ended = await waitForRun(run._id, MERGE_MILLISECONDS);
    if (ended?.status !== 'completed') {
      throw new AppError('not_available', {
        text: ended?.error ?? 'The merge goes on; the file will appear in the chat.',
      });
    }
    const filename = String(ended.state.fileName);
    const { conflicts } = await findAnalysis(who, analysis._id);
    return { downloadUrl: `/api/download/${encodeURIComponent(filename)}`, filename, conflicts };
  });

  bind(router, contract.analyse, async ({ who, params }) => {
    await requireAgentOf(who, params.id, 'clinical_safety');
    throw new AppError('in_preparation', {
      what: 'The assessment of a product or a concern',
      instead: 'Today the agent analyses hazard logs: upload one and choose “Analyse hazard log”.',
    });
  });

  bind(router, contract.analyseHazardLog, async ({ who, params, body }) => {
    const agent = await requireReadyAgentOf(who, params.id, 'clinical_safety');
    const conversation = await openConversation(who.accountId, arcAddress(who.userId));
    const { logFileId, ticketsFileId, companyLog } = await currentFiles(conversation);
    if (!logFileId) throw new AppError('no_log');
    const run = await startWork(who, agent, `call:${randomUUID()}`, {
      workflow: 'hazard-analysis',
      goal: body.message || 'Hazard log analysis',
      state: { logFileId, ticketsFileId, fromCompany: companyLog !== null },
      withdraws: body.withdrawQuestion,
    });
    return {
      success: true as const,
      runId: String(run._id),
      workspaceId: run.workspaceId ?? 0,
      response: 'The analysis has started. Its progress and its result are in the chat and on the agent’s card.',
    };
  });

  bind(router, contract.parseCscr, async ({ who, params }) => {
    await requireAgentOf(who, params.id, 'clinical_safety');
    throw new AppError('in_preparation', {
      what: 'Reading a clinical safety case report',
      instead: 'Today the agent analyses hazard logs: upload one and choose “Analyse hazard log”.',
    });
  });
}

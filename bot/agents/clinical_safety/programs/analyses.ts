import { z } from 'zod';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import { defineProgramTool, type ProgramTool } from '../../../engine/agents/programTool.ts';
import { arcAddress, openConversation } from '../../../engine/conversations/conversations.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { isNotExecuting, waitForRun } from '../../../engine/workflows/waitForRun.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { currentFiles } from '../files/currentFiles.ts';
import { findLatestAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { analyseWorkflow } from '../workflows/analyse.ts';

const MAX_LISTED = 50;
const MAX_ITEMS = 100;
const MAX_WAIT_SECONDS = 50;

/** The lists of a result that can be read, by their names for programs. */
const LISTS = {
  hazards: 'existingHazards',
  proposals: 'newHazards',
  findings: 'findings',
  tickets: 'tickets',
} as const;

async function describeAnalysis(row: HazardAnalysisRow): Promise<Record<string, unknown>> {
  const open = await Interrupt.findOne({ accountId: row.accountId, runId: row.runId, status: 'pending' }).lean();
  return {
    id: row._id,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    log: row.logFileName,
    tickets: row.ticketsFileName,
    headline: row.headline,
    decided: row.decisions?.length ?? null,
    decidedBy: row.decidedBy?.name ?? null,
    waitsForQuestion: open?._id ?? null,
  };
}

const listAnalyses = defineProgramTool({
  name: 'list_analyses',
  title: 'List analyses',
  description:
    'Lists the company’s analyses of its hazard log, newest first: status, files, the headline with its counts, and the question that it waits for.',
  input: z.object({ limit: z.number().int().min(1).max(MAX_LISTED).default(20) }),
  scope: 'analyses:read',
  effect: 'reads',
  async run({ limit }, { who }) {
    const rows = await HazardAnalysis.find({ accountId: who.accountId }).sort({ createdAt: -1 }).limit(limit).lean();
    return { analyses: await Promise.all(rows.map(describeAnalysis)) };
  },
});

const readAnalysis = defineProgramTool({
  name: 'get_analysis',
  title: 'Read an analysis',
  description:
    'Reads one analysis, the latest by default, with how its figures were counted; and, with `list`, a page of its hazards, proposals, findings or tickets. Figures are the analysis’s own: don’t derive ratings or a judgement of safety from them.',
  input: z.object({
    id: z.number().int().positive().optional(),
    list: z.enum(Object.keys(LISTS) as [keyof typeof LISTS]).optional(),
    offset: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(MAX_ITEMS).default(20),
  }),
  scope: 'analyses:read',
  effect: 'reads',
  async run({ id, list, offset, limit }, { who }) {
    const { accountId } = who;
    const row = await (id ? HazardAnalysis.findOne({ _id: id, accountId }).lean() : findLatestAnalysis(who));
    if (!row) throw new AppError(id ? 'not_found' : 'no_analysis');
    const described = await describeAnalysis(row);
    if (!row.resultFileId) return described;
    const result = await loadResult(row);
    const items: readonly unknown[] = list ? result[LISTS[list]] : [];
    return {
      ...described,
      counted: result.analysisMetadata,
      ...(list ? { list, total: items.length, offset, items: items.slice(offset, offset + limit) } : {}),
    };
  },
});

const runAnalysis = defineProgramTool({
  name: 'run_analysis',
  title: 'Run an analysis',
  description:
    'Analyses the company’s current hazard log and tickets, which costs credits, and waits up to `wait` seconds. With the same `idempotencyKey` it is started once: call again to see how it stands. Its proposals are reviewed by people in Arc; an open review is never withdrawn for it.',
  input: z.object({
    idempotencyKey: z.string().min(1).max(200),
    wait: z.number().int().min(0).max(MAX_WAIT_SECONDS).default(0),
  }),
  scope: 'analyses:run',
  effect: 'starts',
  async run({ idempotencyKey, wait }, { who, userAgent, tokenId }) {
    requireTool(userAgent, analyseWorkflow.tool ?? null);
    const conversation = await openConversation(who.accountId, arcAddress(who.userId));
    const { logFileId, ticketsFileId, companyLog } = await currentFiles(conversation);
    if (!logFileId) throw new AppError('no_log');
    const state = { logFileId, ticketsFileId, fromCompany: companyLog !== null };
    const work = beginWith(analyseWorkflow, 'Hazard log analysis', state);
    const started = await startWork(who, userAgent, `program:${tokenId}:${idempotencyKey}`, work, 'schedule');
    const run = (wait > 0 && (await waitForRun(started._id, wait * 1000, isNotExecuting))) || started;
    const analysis = await HazardAnalysis.findOne({ accountId: who.accountId, runId: run._id }).lean();
    return {
      work: run.workspaceId,
      status: run.status,
      error: run.error,
      analysis: analysis ? await describeAnalysis(analysis) : null,
    };
  },
});

/** What the agent offers to programs outside Arc. */
export const programTools: readonly ProgramTool[] = [listAnalyses, readAnalysis, runAnalysis];

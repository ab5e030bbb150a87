import { randomUUID } from 'node:crypto';
import * as contract from '../../../../models/contracts/clinical_safety/safetyCase.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { StoredFile } from '../../../../models/file.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { openChat } from '../../../engine/conversations/threads.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { CASE_REPORTS, routeCaseReport } from '../reports/caseReportWorkflow.ts';

const writeReport = defineCall(contract.writeCaseReport, async ({ who, params }) => {
  const agent = await requireReadyAgentOf(who, params.id, 'clinical_safety');
  const work = await routeCaseReport(agent, await openChat(who), 'Write the safety case report');
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  return {
    success: true as const,
    runId: String(run._id),
    workspaceId: run.workspaceId ?? 0,
    response: 'The report is being written. It appears in the chat and on this page.',
  };
});

const list = defineCall(
  contract.listCaseReports,
  async ({ who, params }) => {
    await requireAgentOf(who, params.id, 'clinical_safety');
    const rows = await StoredFile.find({ accountId: who.accountId, kind: 'export', key: CASE_REPORTS, removed: false })
      .sort({ createdAt: -1, _id: -1 })
      .limit(contract.MAX_REPORTS_LISTED)
      .lean();
    return rows.map((row) => ({ ...attachmentOf(row), createdAt: row.createdAt.toISOString() }));
  },
  { topics: ['analysis'] },
);

/** The calls for the safety case report. */
export const safetyCaseCalls: readonly Call[] = [writeReport, list];

import { randomUUID } from 'node:crypto';
import * as incidentContract from '../../../../models/contracts/clinical_safety/incident.ts';
import * as checkContract from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import * as contract from '../../../../models/contracts/clinical_safety/safetyCase.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { digestOf } from '../../../../models/digest.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import type { Who } from '../../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, type CallFile, defineCall } from '../../../engine/calls/call.ts';
import { openChat } from '../../../engine/conversations/threads.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { waitForRun } from '../../../engine/workflows/waitForRun.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { routeCompliance } from '../compliance/workflow.ts';
import { withUploadRoom } from '../files/uploadRoom.ts';
import { routeIncident } from '../incident/workflow.ts';
import { describeReport } from '../reportCheck/describe.ts';
import { reportCheckState, reportCheckWorkflow, requireReportFile } from '../reportCheck/workflow.ts';
import { routeCaseReport } from '../reports/caseReportWorkflow.ts';

type DraftRoute = (userAgent: UserAgentRow, conversation: ConversationRow, text: string) => Promise<Route>;

/** Starts the work that a route leads to, on behalf of a call. */
async function startDraft(who: Who, userAgentId: number, route: DraftRoute, request: string, says: string) {
  const agent = await requireReadyAgentOf(who, userAgentId, 'clinical_safety');
  const work = await route(agent, await openChat(who), request);
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  return { success: true as const, runId: String(run._id), workspaceId: run.workspaceId ?? 0, response: says };
}

const writeReport = defineCall(contract.writeCaseReport, ({ who, params }) =>
  startDraft(
    who,
    params.id,
    routeCaseReport,
    'Write the safety case report',
    'The report is being written. It appears in the chat and on this page.',
  ),
);

const writeSheet = defineCall(contract.writeComplianceSheet, ({ who, params }) =>
  startDraft(
    who,
    params.id,
    routeCompliance,
    'Write the compliance sheet',
    'The sheet is being written. It appears in the chat and on this page.',
  ),
);

const record = defineCall(incidentContract.recordIncident, ({ who, params, body }) =>
  startDraft(
    who,
    params.id,
    routeIncident,
    `Incident record: ${body.text}`,
    'The record is being written. It appears in the chat. Nothing is sent.',
  ),
);

/** Keys of the files that are drafts. */
const DRAFTS = [
  { key: { $gte: 'case-report:', $lt: 'case-report;' } },
  { key: { $gte: 'compliance:', $lt: 'compliance;' } },
];

const list = defineCall(
  contract.listCaseReports,
  async ({ who, params }) => {
    await requireAgentOf(who, params.id, 'clinical_safety');
    const rows = await StoredFile.find({ accountId: who.accountId, kind: 'export', $or: DRAFTS, removed: false })
      .sort({ createdAt: -1, _id: -1 })
      .limit(contract.MAX_REPORTS_LISTED)
      .lean();
    return rows.map((row) => ({ ...attachmentOf(row), createdAt: row.createdAt.toISOString() }));
  },
  { topics: ['analysis'] },
);

const CHECK_TIMEOUT_MS = 40_000;

/** The report of a call as a file: uploaded, pasted, or one that is there. @throws AppError no_report, file_not_found */
async function fileOf(
  { accountId }: Who,
  { text, fileId }: { text?: string | undefined; fileId?: string | undefined },
  given: CallFile | undefined,
): Promise<FileRow> {
  if (!given && fileId) return requireReportFile(accountId, fileId);
  const { fileName, bytes } = given ?? { fileName: 'Pasted report.md', bytes: Buffer.from(text ?? '') };
  if (bytes.byteLength === 0) throw new AppError('no_report');
  const digest = await digestOf(bytes);
  return withUploadRoom({ accountId, digest, bytes: bytes.byteLength }, () =>
    keepFile({
      accountId,
      name: fileName,
      kind: 'safety-report',
      type: 'application/octet-stream',
      key: `report:${fileName}:${digest}`,
      bytes,
      digest,
    }),
  );
}

const parse = defineCall(checkContract.parseCscr, async ({ who, params, body, file: given }) => {
  const agent = await requireReadyAgentOf(who, params.id, 'clinical_safety');
  requireTool(agent, reportCheckWorkflow.tool ?? null);
  const file = await fileOf(who, body, given);
  const work = beginWith(reportCheckWorkflow, `Check ${file.originalName}`, { fileId: String(file._id) });
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  const ended = await waitForRun(run._id, CHECK_TIMEOUT_MS);
  const { checked } = reportCheckState.parse(ended?.state ?? work.state);
  if (ended?.status !== 'completed' || !checked) {
    throw new AppError('not_available', {
      text: ended?.error ?? 'The report is still being read. What is found will appear in the chat.',
    });
  }
  return {
    success: true as const,
    response: describeReport(checked),
    report: checked,
    workspaceId: run.workspaceId ?? 0,
  };
});

/** The calls for the safety case report, the compliance sheet and incident records. */
export const safetyCaseCalls: readonly Call[] = [writeReport, writeSheet, record, list, parse];

import { Types } from 'mongoose';
import { z } from 'zod';
import { checkedReport } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { readFileBytes } from '../../../../models/files.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { readChatFiles } from '../../../engine/conversations/conversations.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { findResultFor } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { checkReport } from '../worker/pool.ts';
import { onlyReference } from '../workflows/derived.ts';
import { describeReport } from './describe.ts';

/** The state of a check: the report's file, and what was found in it. */
export const reportCheckState = z.object({ fileId: z.string(), checked: checkedReport.optional() });

type State = z.output<typeof reportCheckState>;

/** Reads a safety case report and compares it with the newest analysis of the log. It changes nothing. */
export const reportCheckWorkflow = defineWorkflow({
  name: 'safety-case-report-check',
  state: reportCheckState,
  tool: 'clinicalsafety',
  title: 'Check the safety case report',
  first: 'read',
  reserve: LIMITS.credits.step,
  steps: {
    read: { label: 'Read the report', run: read },
    tell: { label: 'Say what was found', run: tell },
  },
});

/** Routes to the check of the report that was last dropped in the conversation. @throws AppError tool_off, no_report */
export async function routeReportCheck(
  userAgent: UserAgentRow,
  conversation: ConversationRow,
  text: string,
): Promise<Route> {
  requireTool(userAgent, reportCheckWorkflow.tool ?? null);
  const fileId = conversation.files['safety-report'] ?? (await readChatFiles(conversation))['safety-report'];
  if (!fileId) throw new AppError('no_report');
  return beginWith(reportCheckWorkflow, text, { fileId: String(fileId) });
}

/** Kinds of file that may be a report: what was given as one, and what agents wrote or people keep. */
const KINDS: FileRow['kind'][] = ['safety-report', 'document', 'export', 'hazard-log'];

/** A file of the account that may be a report. @throws AppError file_not_found */
export async function requireReportFile(accountId: number, id: string): Promise<FileRow> {
  const row = await StoredFile.findOne({ _id: new Types.ObjectId(id), accountId, kind: { $in: KINDS } }).lean();
  if (!row) throw new AppError('file_not_found');
  return row;
}

async function read({ run, state, progress, signal }: StepContext<State>): Promise<StepResult<State>> {
  const { accountId } = run;
  const file = await requireReportFile(accountId, state.fileId);
  progress(`Reading ${file.originalName}`, 0, 2);
  const analysis = await findResultFor(accountId, run.conversationId);
  const log = analysis && { fileName: analysis.logFileName, result: await loadResult(analysis) };
  const bytes = new Uint8Array(await readFileBytes(file));
  const checked = await withFileErrors(checkReport({ bytes, fileName: file.originalName, log }, { accountId, signal }));
  return { next: 'tell', state: { checked }, cost: LIMITS.credits.step };
}

async function tell({ state, say }: StepContext<State>): Promise<StepResult<State>> {
  const { checked } = state;
  if (!checked) throw new Error('The report was not read.');
  const text = describeReport(checked);
  const count = (outcome: 'differs' | 'agrees') => checked.checks.filter((check) => check.outcome === outcome).length;
  const lacking = checked.sections.filter(({ state: has }) => has !== 'found').length;
  await say({
    key: 'checked',
    kind: 'text',
    text,
    derived: onlyReference(`The check of the safety case report is in Arc: ${linkToChat()}`),
    ...(checked.isReport
      ? {
          card: {
            headline: 'Check of the safety case report',
            figures: [
              { label: lacking === 1 ? 'section to write' : 'sections to write', value: String(lacking) },
              {
                label: checked.placeholderCount === 1 ? 'place left open' : 'places left open',
                value: String(checked.placeholderCount),
              },
              {
                label: count('differs') === 1 ? 'difference to the log' : 'differences to the log',
                value: String(count('differs')),
              },
            ],
          },
        }
      : {}),
  });
  return { done: { output: text } };
}

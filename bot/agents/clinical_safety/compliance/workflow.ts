import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { counted } from '../counted.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { keepDraft } from '../reports/keepDraft.ts';
import { findResultFor, requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { writeComplianceSheet } from '../worker/pool.ts';
import { onlyReference } from '../workflows/derived.ts';
import { collectInput } from './collectInput.ts';

const complianceState = z.object({
  analysisId: z.number(),
  /** When it is made, ISO 8601; the same when a step runs again. */
  madeAt: z.string().optional(),
  fileName: z.string().optional(),
});
type State = z.output<typeof complianceState>;

/** Writes a DCB0129 compliance sheet, clause by clause, from the analysis of the log. It answers no clause. */
export const complianceWorkflow = defineWorkflow({
  name: 'compliance-sheet',
  state: complianceState,
  tool: 'clinicalsafety',
  title: 'Write the compliance sheet',
  first: 'collect',
  reserve: LIMITS.credits.step,
  steps: {
    collect: { label: 'Collect what Arc holds', run: collect },
    write: { label: 'Write the sheet', run: write },
  },
});

/** Routes to the sheet. @throws AppError tool_off, no_analysis_to_report */
export async function routeCompliance(
  userAgent: UserAgentRow,
  conversation: Pick<ConversationRow, '_id' | 'accountId'>,
  text: string,
): Promise<Route> {
  requireTool(userAgent, complianceWorkflow.tool ?? null);
  const latest = await findResultFor(conversation.accountId, conversation._id);
  if (!latest) throw new AppError('no_analysis_to_report');
  return beginWith(complianceWorkflow, text, { analysisId: latest._id });
}

async function collect({ run, state, progress }: StepContext<State>): Promise<StepResult<State>> {
  progress('Reading the analysis', 0, 2);
  // Fails before anything is written if the result can't be read any more.
  await loadResult(await requireAnalysis(run.accountId, state.analysisId));
  return { next: 'write', state: { madeAt: new Date().toISOString() } };
}

async function write(context: StepContext<State>): Promise<StepResult<State>> {
  const { run, state, signal } = context;
  const { accountId } = run;
  const analysis = await requireAnalysis(accountId, state.analysisId);
  context.progress('Going through the clauses', 1, 2);
  const input = await collectInput(analysis, state.madeAt ?? new Date().toISOString());
  const sheet = await withFileErrors(writeComplianceSheet(input, { accountId, signal }));
  const { standings } = sheet;
  const { file, copied } = await keepDraft(context, sheet, {
    key: `compliance:${run._id}`,
    event: 'compliance-sheet.drafted',
    subject: `analysis:${analysis._id}`,
    shownDigest: input.result.analysisMetadata.logDigest,
  });
  const all = Object.values(standings).reduce((sum, count) => sum + count, 0);
  const text = [
    `Here is the DCB0129 compliance sheet of ${analysis.logFileName}: ${counted(all, 'clause')}. For ${standings.found} Arc found possible evidence, for ${standings.part} in part, for ${standings.nothing} nothing; ${standings.person} only a person can tell.`,
    `Every answer is “Awaiting”: your Clinical Safety Officer answers, and Arc claims no compliance. Documents were recognised only by their names. What the log hands over to the deploying organisation is on the sheet “For DCB0160”.${copied ? ` ${copied}` : ''}`,
  ].join('\n');
  await context.say({
    key: 'sheet',
    kind: 'text',
    text,
    attachments: [attachmentOf(file)],
    derived: onlyReference(`The DCB0129 compliance sheet is ready. ${linkToChat()}`),
    card: {
      headline: 'DCB0129 compliance sheet, draft',
      figures: [
        { label: 'with possible evidence', value: String(standings.found) },
        { label: 'in part', value: String(standings.part) },
        { label: 'nothing found', value: String(standings.nothing) },
      ],
      actions: [{ label: 'Download the sheet', action: 'download', value: file.name }],
    },
  });
  return { done: { output: text }, state: { fileName: file.name }, cost: LIMITS.credits.step };
}

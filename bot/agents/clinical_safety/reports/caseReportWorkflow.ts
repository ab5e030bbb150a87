import { z } from 'zod';
import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { StoredFile } from '../../../../models/file.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { counted } from '../counted.ts';
import { currentFiles } from '../files/currentFiles.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { readAccepted } from '../lives/readAccepted.ts';
import { findResultFor, requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { writeCaseReport } from '../worker/pool.ts';
import { onlyReference } from '../workflows/derived.ts';
import { keepDraft } from './keepDraft.ts';

const caseReportState = z.object({
  analysisId: z.number(),
  /** When it is written, ISO 8601; the same when a step runs again. */
  writtenAt: z.string().optional(),
  fileName: z.string().optional(),
});

type State = z.output<typeof caseReportState>;

/** Writes a safety case report as a Word document from the newest analysis of the log. It changes nothing else. */
export const caseReportWorkflow = defineWorkflow({
  name: 'safety-case-report',
  state: caseReportState,
  tool: 'clinicalsafety',
  title: 'Write the safety case report',
  first: 'collect',
  reserve: LIMITS.credits.step,
  steps: {
    collect: { label: 'Collect the figures of the log', run: collect },
    write: { label: 'Write the report', run: write },
  },
});

/** Routes to the report. @throws AppError tool_off, no_analysis_to_report */
export async function routeCaseReport(
  userAgent: UserAgentRow,
  conversation: Pick<ConversationRow, '_id' | 'accountId'>,
  text: string,
): Promise<Route> {
  requireTool(userAgent, caseReportWorkflow.tool ?? null);
  const latest = await findResultFor(conversation.accountId, conversation._id);
  if (!latest) throw new AppError('no_analysis_to_report');
  return beginWith(caseReportWorkflow, text, { analysisId: latest._id });
}

async function collect({ run, state, progress }: StepContext<State>): Promise<StepResult<State>> {
  progress('Reading the analysis', 0, 2);
  // A result that can't be read any more is said before anything is written.
  await loadResult(await requireAnalysis(run.accountId, state.analysisId));
  return { next: 'write', state: { writtenAt: new Date().toISOString() } };
}

/** The name of a log that new work would use and that the analysis did not read; null where there is none. */
async function findNewerLog(analysis: HazardAnalysisRow, conversation: ConversationRow | null): Promise<string | null> {
  if (!conversation) return null;
  const { logFileId } = await currentFiles(conversation);
  if (!logFileId || logFileId.equals(analysis.logFileId)) return null;
  const [current, analysed] = await Promise.all([
    StoredFile.findOne({ _id: logFileId, accountId: analysis.accountId }).lean(),
    StoredFile.findOne({ _id: analysis.logFileId, accountId: analysis.accountId }).lean(),
  ]);
  const isNewer = current && current.digest !== analysed?.digest && current.createdAt > analysis.createdAt;
  return isNewer ? current.originalName : null;
}

async function write(context: StepContext<State>): Promise<StepResult<State>> {
  const { run, state, conversation, signal } = context;
  const { accountId } = run;
  const analysis = await requireAnalysis(accountId, state.analysisId);
  context.progress('Writing the report', 1, 2);
  const result = await loadResult(analysis);
  const [accepted, newerLog, timeZone] = await Promise.all([
    readAccepted(analysis, result),
    findNewerLog(analysis, conversation),
    readTimeZone(accountId),
  ]);
  const report = await withFileErrors(
    writeCaseReport(
      {
        result,
        analysis: {
          id: analysis._id,
          createdAt: analysis.createdAt.toISOString(),
          logFileName: analysis.logFileName,
          isSample: analysis.isSample ?? false,
        },
        accepted,
        decisions: analysis.decisions ?? [],
        writtenAt: state.writtenAt ?? new Date().toISOString(),
        timeZone,
        newerLog,
      },
      { accountId, signal },
    ),
  );
  const { file, copied } = await keepDraft(context, report, {
    key: `case-report:${run._id}`,
    event: 'safety-case-report.drafted',
    subject: `analysis:${analysis._id}`,
    shownDigest: result.analysisMetadata.logDigest,
  });
  const open = result.findings.filter(({ id }) => !accepted[id]).length;
  const hazards = result.existingHazards.length;
  const text = [
    `Here is a draft of the safety case report, from ${analysis.logFileName}: ${counted(hazards, 'hazard')} and ${counted(open, 'open finding')}. All figures come from that log.`,
    `${counted(report.gaps, 'place is', 'places are')} marked “[Clinical Safety Officer: …]”: only the officer can write them. The report makes no statement on safety, and it is not approved.${copied ? ` ${copied}` : ''}`,
    ...(newerLog
      ? [`${newerLog} was uploaded since and is not in it. Analyse it first for a report of that log.`]
      : []),
  ].join('\n');
  await context.say({
    key: 'report',
    kind: 'text',
    text,
    attachments: [attachmentOf(file)],
    derived: onlyReference(`A draft of the safety case report is ready. ${linkToChat()}`),
    card: {
      headline: 'Safety case report, draft',
      figures: [
        { label: hazards === 1 ? 'hazard' : 'hazards', value: String(hazards) },
        { label: open === 1 ? 'open finding' : 'open findings', value: String(open) },
        { label: 'for the officer to write', value: String(report.gaps) },
      ],
      actions: [{ label: 'Download the report', action: 'download', value: file.name }],
    },
  });
  return { done: { output: text }, state: { fileName: file.name }, cost: LIMITS.credits.step };
}

import { z } from 'zod';
import { Account } from '../../../../models/account.ts';
import { MAX_INCIDENT } from '../../../../models/contracts/clinical_safety/incident.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { digestOf } from '../../../../models/digest.ts';
import { displayName, User } from '../../../../models/user.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { keepDraft } from '../reports/keepDraft.ts';
import { logVersionOf } from '../results/figures.ts';
import { findResultFor, requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { writeIncidentRecord } from '../worker/pool.ts';
import { onlyReference } from '../workflows/derived.ts';
import { describeIncident } from './describeIncident.ts';
import type { IncidentInput } from './incidentInput.ts';

const incidentState = z.object({
  text: z.string(),
  /** The analysis whose hazards are compared; null where there is none. */
  analysisId: z.number().nullable(),
  /** When it was told, ISO 8601; the same when a step runs again. */
  toldAt: z.string().optional(),
});
type State = z.output<typeof incidentState>;

/** Puts what is known of an incident in order, in the first hour. It judges nothing and sends nothing. */
export const incidentWorkflow = defineWorkflow({
  name: 'incident-record',
  state: incidentState,
  tool: 'clinicalsafety',
  title: 'Incident record',
  first: 'note',
  reserve: LIMITS.credits.step,
  steps: {
    note: { label: 'Note when it was told', run: note },
    write: { label: 'Put it in order', run: write },
  },
});

/** The request before what happened: "Prepare the incident record: …". */
const REQUEST = /^[^:\n]{0,80}:\s*/;

/** Routes to the record of an incident. @throws AppError tool_off */
export async function routeIncident(
  userAgent: Pick<UserAgentRow, 'agentId' | 'tools'>,
  conversation: Pick<ConversationRow, '_id' | 'accountId'>,
  text: string,
): Promise<Route> {
  requireTool(userAgent, incidentWorkflow.tool ?? null);
  const analysis = await findResultFor(conversation.accountId, conversation._id);
  return beginWith(incidentWorkflow, text.slice(0, 80), {
    text: text.replace(REQUEST, '').slice(0, MAX_INCIDENT),
    analysisId: analysis?._id ?? null,
  });
}

async function note(): Promise<StepResult<State>> {
  return { next: 'write', state: { toldAt: new Date().toISOString() } };
}

async function readLog(accountId: number, analysisId: number | null): Promise<IncidentInput['log']> {
  if (analysisId === null) return null;
  const analysis = await requireAnalysis(accountId, analysisId);
  const result = await loadResult(analysis);
  return {
    fileName: analysis.logFileName,
    version: logVersionOf(result),
    digest: result.analysisMetadata.logDigest,
    analysedAt: analysis.createdAt.toISOString(),
    hazards: result.existingHazards,
  };
}

async function nameOf(userId: number | null | undefined): Promise<string | null> {
  const user = userId ? await User.findById(userId).lean() : null;
  return user && displayName(user);
}

async function write(context: StepContext<State>): Promise<StepResult<State>> {
  const { run, state, signal } = context;
  const { accountId } = run;
  context.progress('Comparing it with the log', 0, 1);
  const [log, account, toldBy, timeZone] = await Promise.all([
    readLog(accountId, state.analysisId),
    Account.findById(accountId, { clinicalSafetyOfficer: 1 }).lean(),
    nameOf(run.userId),
    readTimeZone(accountId),
  ]);
  const officer = await nameOf(account?.clinicalSafetyOfficer?.userId);
  const toldAt = state.toldAt ?? new Date().toISOString();
  const record = await withFileErrors(
    writeIncidentRecord({ text: state.text, toldBy, toldAt, timeZone, log, officer }, { accountId, signal }),
  );
  const { summary } = record;
  const { file, copied } = await keepDraft(context, record, {
    key: `incident:${run._id}`,
    event: 'incident.recorded',
    subject: `run:${run._id}`,
    shownDigest: await digestOf(Buffer.from(state.text)),
  });
  const text = describeIncident(summary, log?.fileName ?? null, copied);
  await context.say({
    key: 'record',
    kind: 'text',
    text,
    attachments: [attachmentOf(file)],
    derived: onlyReference(`The incident record is in Arc: ${linkToChat()}`),
    card: {
      headline: 'Incident record, draft',
      figures: [
        { label: 'points told', value: `${summary.said} of ${summary.points}` },
        { label: 'to fill in', value: String(summary.gaps) },
      ],
      actions: [{ label: 'Download the record', action: 'download', value: file.name }],
    },
  });
  return { done: { output: text }, cost: LIMITS.credits.step };
}

import {
  HazardAnalysis,
  type HazardAnalysisRow,
  STATUSES_DECIDED,
} from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { nextId } from '../../../../models/counter.ts';
import type { FileRow } from '../../../../models/file.ts';
import { findFile, readFileBytes } from '../../../../models/files.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { surfaceOfRun } from '../../../engine/audit/surfaceOfRun.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { counted } from '../counted.ts';
import { isSampleFile, ownFiles } from '../files/currentFiles.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { loadDecisions } from '../matches/ticketMatches.ts';
import { keepResult, loadCore, loadResult } from '../results/results.ts';
import { analyse } from '../worker/pool.ts';
import { analysisOf } from './analysisOf.ts';
import { type AnalysisState, analysisState } from './analysisState.ts';
import { asksModel, choose, recordChoices, weighChoices } from './choose.ts';
import { completeAnalysis } from './completeAnalysis.ts';
import { onlyReference } from './derived.ts';
import { asksForDrafts, draft, recordDrafts, weighDrafts } from './draft.ts';
import { digestOfProposal, makeDraft, markRejectedBefore } from './earlierRejections.ts';
import { findKeptDecisions } from './keptDecisions.ts';
import { askForMatches, recordMatches } from './matches.ts';
import { recordReview } from './recordReview.ts';
import { keepReading, settleReading } from './settleReading.ts';

const COST = LIMITS.credits.step;

type Context = StepContext<AnalysisState>;
type Result = Promise<StepResult<AnalysisState>>;

/**
 * Analyses a log with its tickets, asks for a review of the proposed hazards and records it, then asks about the
 * possible matches.
 */
export const analyseWorkflow = defineWorkflow({
  name: 'hazard-analysis',
  state: analysisState,
  tool: 'hazardanalysis',
  title: 'Hazard log analysis',
  first: 'open',
  exclusive: {
    noun: 'analysis',
    replaced: 'Your decisions are kept for the new review; the rest is proposed again.',
    keeps: 'Decisions on unchanged rows are kept for the new review.',
  },
  reserve: COST * 4,
  steps: {
    open: { label: 'Open the files', run: openAnalysis },
    settle: { label: 'Ask how to read the log', run: settleReading },
    keep: { label: 'Keep how the log is read', run: keepReading, brief: true },
    analyse: { label: 'Read, check and match', run: runAnalysis },
    weigh: { label: 'Prepare what to ask the language model', run: weighChoices },
    choose: { label: 'Ask the language model', run: choose, cancellable: true },
    conclude: { label: 'Write the result', run: concludeChoices },
    weighDrafts: { label: 'Prepare what to draft from', run: weighDrafts },
    draft: { label: 'Ask for drafts', run: draft, cancellable: true },
    concludeDrafts: { label: 'Write the drafts', run: concludeDrafts },
    review: { label: 'Ask for the review', run: askForReview, brief: true },
    record: { label: 'Record the review', run: recordReview, brief: true },
    matches: { label: 'Ask about possible matches', run: askForMatches, brief: true },
    confirm: { label: 'Record the matches', run: recordMatches, brief: true },
  },
  // The state has an output once the proposals are recorded, or once there are none.
  recordedOutput: ({ output }) =>
    typeof output === 'string'
      ? `${output.replace(/\.$/, '')}. The open review of possible matches was withdrawn.`
      : null,
  async ended({ run, status }) {
    await changing(run.accountId, ['analysis'], () =>
      // An analysis whose proposals were reviewed stays so when its possible matches are withdrawn.
      HazardAnalysis.updateOne({ runId: run._id, status: { $nin: [...STATUSES_DECIDED] } }, { $set: { status } }),
    );
  },
});

async function filesOf({ state, conversation }: Context): Promise<{ log: FileRow; tickets: FileRow | null }> {
  const ownFileIds = conversation ? await ownFiles(conversation) : null;
  const logFileId = state.logFileId ?? ownFileIds?.logFileId;
  const ticketsFileId = state.ticketsFileId ?? ownFileIds?.ticketsFileId ?? null;
  if (!logFileId) throw new AppError('no_log');
  return {
    log: await findFile({ _id: logFileId }),
    tickets: ticketsFileId ? await findFile({ _id: ticketsFileId }) : null,
  };
}

/** The start of the message where the conversation has no log of its own. */
const FROM_COMPANY = 'There is no hazard log in this conversation, so I’m using your company’s current one. ';

async function openAnalysis(context: Context): Result {
  const { run, state } = context;
  const { log, tickets } = await filesOf(context);
  const row: Partial<HazardAnalysisRow> = {
    _id: await nextId('hazardAnalysis'),
    accountId: run.accountId,
    userAgentId: run.userAgentId,
    userId: run.userId,
    runId: run._id,
    isSample: isSampleFile(log),
    status: 'running',
    logFileId: log._id,
    logFileName: log.originalName,
    ticketsFileId: tickets?._id ?? null,
    ticketsFileName: tickets?.originalName ?? null,
  };
  const first = await changing(run.accountId, ['analysis'], () => onceByKey(() => HazardAnalysis.create(row)));
  const analysisId = first ? row._id : (await analysisOf(context))._id;
  await recordEvent(run.accountId, 'analysis.started', {
    userId: run.userId,
    subject: `analysis:${analysisId}`,
    shownDigest: log.digest,
    outcome: 'started',
    surface: surfaceOfRun(run),
    key: String(analysisId),
  });
  await context.say({
    key: 'started',
    kind: 'analysis-started',
    text: `${state.fromCompany ? FROM_COMPANY : ''}${
      tickets
        ? `I am reading ${log.originalName} and ${tickets.originalName}. You can leave this page. I’ll carry on.`
        : `I am reading ${log.originalName}. There is no ticket export yet, so 0 tickets will be analysed.`
    }`,
    card: { runId: String(run._id) },
    derived: onlyReference(
      tickets
        ? 'I am reading the hazard log and the tickets.'
        : 'I am reading the hazard log. 0 tickets will be analysed.',
    ),
  });
  return {
    next: 'settle',
    state: { logFileId: log._id, ticketsFileId: tickets?._id ?? null, analysisId },
    cost: COST,
  };
}

async function runAnalysis(context: Context): Result {
  const row = await analysisOf(context);
  if (!row.resultFileId) await computeResult(context, row);
  const result = await loadResult(await analysisOf(context));
  if (asksModel(result)) return { next: 'weigh', cost: COST };
  return asksForDrafts(result) ? { next: 'weighDrafts', cost: COST } : completeAnalysis(context);
}

async function concludeChoices(context: Context): Result {
  await recordChoices(context);
  if (asksForDrafts(await loadResult(await analysisOf(context)))) return { next: 'weighDrafts', cost: 0 };
  // The step that analysed has been paid for.
  return { ...(await completeAnalysis(context)), cost: 0 };
}

async function concludeDrafts(context: Context): Result {
  await recordDrafts(context);
  return { ...(await completeAnalysis(context)), cost: 0 };
}

async function computeResult({ run, state, signal, progress }: Context, row: HazardAnalysisRow): Promise<void> {
  const [log, tickets] = await Promise.all([
    findFile({ _id: row.logFileId }),
    row.ticketsFileId ? findFile({ _id: row.ticketsFileId }) : null,
  ]);
  const [logBytes, ticketsBytes, decisions] = await Promise.all([
    readFileBytes(log),
    tickets ? readFileBytes(tickets) : null,
    loadDecisions(run.accountId),
  ]);
  const result = await withFileErrors(
    analyse(
      {
        log: { bytes: new Uint8Array(logBytes), fileName: log.originalName, digest: log.digest },
        tickets:
          tickets && ticketsBytes
            ? { bytes: new Uint8Array(ticketsBytes), fileName: tickets.originalName, digest: tickets.digest }
            : null,
        decisions,
        settled: state.settled,
      },
      { accountId: run.accountId, signal, onProgress: ({ label, done, total }) => progress(label, done, total) },
    ),
  );
  const kept = await keepResult(run.accountId, run._id, result);
  await changing(run.accountId, ['analysis'], () => HazardAnalysis.updateOne({ _id: row._id }, { $set: kept }));
}

async function askForReview(context: Context): Result {
  const { complete } = context.state;
  if (complete) await context.say(complete);
  const row = await analysisOf(context);
  const { newHazards: proposed } = await loadCore(row);
  const newHazards = await markRejectedBefore(row.accountId, proposed);
  const rejectedCount = newHazards.filter(({ rejectedBefore }) => rejectedBefore).length;
  if (newHazards.length === 0) return { next: 'matches', state: { output: row.headline }, cost: COST };
  const kept = await findKeptDecisions(context.run, {
    interruptType: 'hazard_review',
    rows: newHazards,
    digestOf: digestOfProposal,
    isPreselected: ({ rejectedBefore }, { outcome }) => outcome === 'rejected' && rejectedBefore !== undefined,
  });
  const decided = new Set(kept.rows.map(({ id }) => id));
  const keptNote =
    decided.size > 0
      ? ` ${decided.size} ${decided.size === 1 ? 'decision is' : 'decisions are'} kept from the withdrawn review. Check ${decided.size === 1 ? 'it' : 'them'} before you complete this one.`
      : '';
  return {
    ask: {
      interruptType: 'hazard_review',
      prompt: `Please review ${counted(newHazards.length, 'proposal')} for ${row.logFileName}: ${describeProposals(newHazards)}. Accept, edit or reject each; nothing is written to the log before you do.${rejectedCount > 0 ? ` ${rejectedCount} ${rejectedCount === 1 ? 'was' : 'were'} rejected before, with the same tickets, and ${rejectedCount === 1 ? 'stays rejected unless you change it' : 'stay rejected unless you change them'}.` : ''}${keptNote}`,
      context: {
        title: 'Review of proposals',
        step: 'review',
        headline: row.headline,
        hazardAnalysisId: row._id,
        rows: newHazards,
      },
      draft: [...kept.rows, ...makeDraft(newHazards).filter(({ id }) => !decided.has(id))],
      ...(Object.keys(kept.chosen).length > 0 ? { chosen: kept.chosen } : {}),
      ...(decided.size > 0 ? { kept: [...decided], keptBy: kept.by } : {}),
    },
    next: 'record',
    state: { headline: row.headline },
    cost: COST,
  };
}

import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { MessageCard } from '../../../../models/contracts/chat.ts';
import type { AnalysisResult, Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { countProposals, describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { nextId } from '../../../../models/counter.ts';
import type { FileRow } from '../../../../models/file.ts';
import { findFile, readFileBytes } from '../../../../models/files.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { describeNoCoverage, describeResult } from '../answers/describe.ts';
import { counted } from '../counted.ts';
import { exportName } from '../export/makeExport.ts';
import { ownFiles } from '../files/currentFiles.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { loadDecisions } from '../matches/ticketMatches.ts';
import { uncover } from '../matches/uncover.ts';
import { keepResult, loadCore } from '../results/results.ts';
import { analyse } from '../worker/pool.ts';
import { analysisOf } from './analysisOf.ts';
import { type AnalysisState, analysisState, type Complete } from './analysisState.ts';
import { onlyReference } from './derived.ts';
import { digestOfProposal, makeDraft, markRejectedBefore } from './earlierRejections.ts';
import { findKeptDecisions } from './keptDecisions.ts';
import { askForMatches, recordMatches } from './matches.ts';
import { recordReview } from './recordReview.ts';
import { describeReadAs, keepReading, settleReading } from './settleReading.ts';

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
    askedAgain: ['confirm'],
  },
  reserve: COST * 4,
  steps: {
    open: { label: 'Open the files', run: openAnalysis },
    settle: { label: 'Ask how to read the log', run: settleReading },
    keep: { label: 'Keep how the log is read', run: keepReading, brief: true },
    analyse: { label: 'Read, check and match', run: runAnalysis },
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
      HazardAnalysis.updateOne({ runId: run._id, status: { $nin: ['reviewed', 'merged'] } }, { $set: { status } }),
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
    status: 'running',
    logFileId: log._id,
    logFileName: log.originalName,
    ticketsFileId: tickets?._id ?? null,
    ticketsFileName: tickets?.originalName ?? null,
  };
  const first = await changing(run.accountId, ['analysis'], () => onceByKey(() => HazardAnalysis.create(row)));
  const analysisId = first ? row._id : (await analysisOf(context))._id;
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
  const { run } = context;
  const row = await analysisOf(context);
  if (!row.resultFileId) await computeResult(context, row);
  // A decision may have been taken back while the analysis read.
  const result = await uncover(await analysisOf(context));
  const description = describeResult(result);
  const fileName = result.newHazards.length > 0 ? exportName('proposed', row._id) : null;
  await changing(run.accountId, ['analysis'], () =>
    HazardAnalysis.updateOne(
      { _id: row._id },
      {
        $set: {
          headline: description.headline,
          newHazardsFileName: fileName,
          status: result.newHazards.length > 0 ? 'in-review' : 'reviewed',
          ...(result.newHazards.length > 0 ? {} : { decisions: [] }),
        },
      },
    ),
  );
  // Sent by the next step, because people may start another analysis once they read that this one is complete.
  const complete: Complete = {
    key: 'complete',
    kind: 'analysis-complete',
    text: [
      `Analysis complete: ${description.headline}.`,
      ...(await describeReadAs(row)).map((line) => `• ${line}`),
      ...description.lines.map((line) => `• ${line}`),
    ].join('\n'),
    // Only counts are sent to platforms in every mode; names of sheets and files are not.
    derived: onlyReference(`Analysis complete: ${description.headline}. ${linkToChat()}`),
    card: {
      ...resultCard(row._id, result, description.headline),
      table: findingsTable(result),
      actions: fileName ? [{ label: 'Download New Hazards', action: 'download', value: fileName }] : [],
    },
  };
  return { next: 'review', state: { complete }, cost: COST };
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

function resultCard(hazardAnalysisId: number, result: AnalysisResult, headline: string): NonNullable<MessageCard> {
  const { coverage, coverageScore, jiraAnalysis } = result.analysisMetadata;
  const toFix = result.findings.filter(({ level }) => level === 'fix').length;
  const { hazards, additions } = countProposals(result.newHazards);
  return {
    hazardAnalysisId,
    headline,
    figures: [
      { label: 'Hazards', value: String(result.existingHazards.length) },
      { label: 'Findings to fix', value: String(toFix) },
      { label: 'Tickets analysed', value: String(jiraAnalysis.ticketsAnalyzed) },
      {
        label: 'Coverage',
        value:
          coverageScore === null ? describeNoCoverage(jiraAnalysis) : `${coverage.covered} of ${coverage.relevant}`,
      },
      ...(coverageScore === null ? [] : notCounted(coverage)),
      { label: 'New hazards proposed', value: String(hazards) },
      ...(additions > 0 ? [{ label: 'Additions to existing ones', value: String(additions) }] : []),
    ],
  };
}

/** The figures beside the coverage; none in results of an earlier version. */
function notCounted({ possible, none, unsure }: Coverage): NonNullable<NonNullable<MessageCard>['figures']> {
  if (possible === undefined) return [];
  const figures = { 'Possible, not counted': possible, 'With no hazard': none ?? 0, Unsure: unsure };
  return Object.entries(figures).map(([label, value]) => ({ label, value: String(value) }));
}

const MAX_ROWS = 20;

/** The findings to fix with their places and expected values, for channels that show a table. */
function findingsTable({ findings }: AnalysisResult): NonNullable<NonNullable<MessageCard>['table']> {
  const toFix = findings.filter(({ level }) => level === 'fix').slice(0, MAX_ROWS);
  return {
    columns: ['Where', 'Finding', 'Recorded', 'Expected'],
    rows: toFix.map(({ places, title, found, expected }) => [
      places[0] ? `${places[0].sheet}!${places[0].cell}${places.length > 1 ? ` +${places.length - 1}` : ''}` : '–',
      title,
      found ?? '–',
      expected ?? '–',
    ]),
  };
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
      ...(decided.size > 0 ? { kept: [...decided] } : {}),
    },
    next: 'record',
    state: { headline: row.headline },
    cost: COST,
  };
}

import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { decisionsIn, describeOutcomes, type RowDecision } from '../../../../models/contracts/questionRows.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { canonicalJson } from '../../../engine/interrupts/digest.ts';
import type { StepContext, StepResult } from '../../../engine/workflows/workflow.ts';
import { describeCoverage, describeResult } from '../answers/describe.ts';
import { counted } from '../counted.ts';
import { withOpenFindings } from '../lives/openFindings.ts';
import { applyDecisions } from '../matches/applyDecisions.ts';
import { type MatchRow, makeMatchRows, orderAsked } from '../matches/matchRow.ts';
import { chosenHazard, loadEarlier, saveDecisions } from '../matches/ticketMatches.ts';
import { inNewestResult, uncover } from '../matches/uncover.ts';
import { MATCH_REVIEW, matchReview } from '../questions/matchReview.ts';
import { changeVerdicts } from '../results/changeVerdicts.ts';
import { loadResult } from '../results/results.ts';
import { analysisOf } from './analysisOf.ts';
import type { AnalysisState } from './analysisState.ts';
import { onlyReference } from './derived.ts';
import { findKeptDecisions } from './keptDecisions.ts';

type Context = StepContext<AnalysisState>;
type Result = Promise<StepResult<AnalysisState>>;

/** Tickets in one question: a screen or two, and small enough for every surface. */
const MAX_ASKED = 25;

/** The words of a row that a person judges; a decision of a withdrawn question is kept where they are the same. */
const digestOfRow = ({ ticketDigest, possible }: MatchRow) =>
  canonicalJson([ticketDigest, possible.map(({ hazardDigest }) => hazardDigest)]);

/**
 * Asks which hazards cover the tickets with possible matches, a part at a time, until none is left. The proposals can
 * be merged meanwhile.
 */
export async function askForMatches(context: Context): Result {
  const row = await analysisOf(context);
  const output = context.state.output ?? row.headline;
  const result = await loadResult(row);
  const asked = orderAsked(result.tickets);
  if (asked.length === 0) return { done: { output }, cost: 0 };
  const part = asked.slice(0, MAX_ASKED);
  const rows = makeMatchRows(part, result.existingHazards, await loadEarlier(row.accountId, part));
  const kept = await findKeptDecisions(context.run, { interruptType: MATCH_REVIEW, rows, digestOf: digestOfRow });
  const again = part.filter(({ possible }) => possible?.some(({ before }) => before)).length;
  const rest = asked.length - part.length;
  const prompt = [
    `Please say which hazards of ${row.logFileName} cover ${part.length === 1 ? 'this ticket' : `these ${part.length} tickets`}. What ${part.length === 1 ? 'it is' : 'they are'} about is near, which doesn’t count as covered until you confirm it.`,
    again > 0 ? `${again} ${again === 1 ? 'is' : 'are'} asked again, because a text has changed.` : '',
    rest > 0 ? `${counted(rest, 'more ticket follows', 'more tickets follow')} after these.` : '',
    kept.rows.length > 0
      ? `${counted(kept.rows.length, 'decision is', 'decisions are')} kept from the withdrawn review. Check ${kept.rows.length === 1 ? 'it' : 'them'} before you send this one.`
      : '',
  ];
  return {
    ask: {
      interruptType: MATCH_REVIEW,
      prompt: prompt.filter(Boolean).join(' '),
      context: {
        title: 'Review of possible matches',
        step: 'matches',
        headline: row.headline,
        hazardAnalysisId: row._id,
        rows,
      },
      draft: kept.rows,
      ...(kept.rows.length > 0 ? { kept: kept.rows.map(({ id }) => id), keptBy: kept.by } : {}),
    },
    next: 'confirm',
    state: { output, coveredBefore: result.analysisMetadata.coverage.covered },
    cost: 0,
  };
}

/** Stores the decisions of an answered part, counts coverage again, and goes on to the next part. */
export async function recordMatches(context: Context): Result {
  const { state } = context;
  const answered = await context.answer();
  const rows = decisionsIn(answered.userResponse);
  await saveDecisions(answered, rows);
  const analysis = await analysisOf(context);
  const chosen = chosenByTicket((answered.context.rows ?? []) as MatchRow[], rows);
  await changeVerdicts(analysis, String(answered._id), (tickets) => applyDecisions(tickets, chosen));
  // A decision may have been taken back since it was stored, and may end one that a newer result counts.
  const result = await uncover(await analysisOf(context));
  await inNewestResult(analysis.accountId, (newest) => uncover(newest));
  const { headline } = describeResult(await withOpenFindings(analysis, result));
  const summary = describeOutcomes(matchReview.rows?.(answered, 'reference-only') ?? {}, rows);
  const { coverage, coverageScore } = result.analysisMetadata;
  await context.say({
    key: `matches:${answered._id}`,
    kind: 'matches-complete',
    text: `Matches recorded: ${summary}. ${coverageChange(state.coveredBefore, coverage)} ${coverageScore === null ? '' : describeCoverage(coverage, coverageScore)} They are kept for the next analysis; a ticket or a hazard that changes is asked about again.`,
    derived: onlyReference(
      `Matches recorded: ${summary}. Coverage is now ${coverage.covered} of ${coverage.relevant}. ${linkToChat()}`,
    ),
    card: { hazardAnalysisId: analysis._id, page: analysisPath(analysis._id), interruptId: answered._id },
  });
  return { next: 'matches', state: { output: `${state.output ?? headline} Matches: ${summary}.` }, cost: 0 };
}

const chosenByTicket = (asked: readonly MatchRow[], rows: readonly RowDecision[]): Map<string, string | null> =>
  new Map(
    rows.flatMap((decided) => {
      const row = asked.find(({ id }) => id === decided.id);
      return row ? [[decided.id, chosenHazard(row, decided)] as const] : [];
    }),
  );

const coverageChange = (before: number | undefined, { covered, relevant }: Coverage): string =>
  before === undefined || before === covered
    ? `${covered} of ${relevant} relevant tickets are covered, as before.`
    : `Before, ${before} of ${relevant} relevant tickets were covered; now ${covered} are.`;

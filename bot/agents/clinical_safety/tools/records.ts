import type { Types } from 'mongoose';
import { z } from 'zod';
import type { AskedQuery, Query } from '../../../../models/contracts/askedQuery.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { answerAccountQuery, kindOfRow, openAccountRows } from '../../../engine/accountRows/openAccountRows.ts';
import { describeStatus } from '../../../engine/intents/answerGeneral.ts';
import type { Answered, Askable } from '../../../engine/queries/answerQuery.ts';
import { defineTool } from '../../../engine/thinking/tool.ts';
import { answerQuestion } from '../answers/answerQuestion.ts';
import { type Answer, isFree } from '../answers/answerShape.ts';
import { answerFollowUp, besideEarlier, declineFollowUp, type Earlier, mayFollow } from '../answers/followUps.ts';
import { nextSteps } from '../answers/nextSteps.ts';
import { queryLine } from '../answers/rowQuery.ts';
import { withStanding } from '../lives/withStanding.ts';
import { ANALYSES, analyses } from '../queries/analyses.ts';
import { DECISIONS, decisions } from '../queries/decisions.ts';
import { askablesOf } from '../queries/entities.ts';
import { findCompanyResult, findResultFor, requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { findLastRows } from './findLastRows.ts';
import { toToolResult } from './toToolResult.ts';

/** Rows of the account that this agent keeps. */
export const OWN_ROWS = [kindOfRow(ANALYSES, analyses), kindOfRow(DECISIONS, decisions)];

/** An answer, the analysis that it rests on with its result, and whether it may hold the company's words. */
type Grounded = {
  answer: Answer;
  analysisId: number | null;
  result: AnalysisResult | null;
  isOfCompany: boolean;
};

/** Rows of a result say which one they are of. */
const naming = (asked: AskedQuery, result: AnalysisResult | null, of: number | undefined): AskedQuery =>
  of !== undefined && kindIn(result, asked.query.entity) ? { ...asked, of } : asked;

function nameResult(answer: Answer, result: AnalysisResult | null, of: number | undefined): Answer {
  const { asked, goesOn } = answer;
  const name = (one: AskedQuery) => naming(one, result, of);
  return { ...answer, ...(asked ? { asked: name(asked) } : {}), ...(goesOn ? { goesOn: name(goesOn) } : {}) };
}

const kindIn = (result: AnalysisResult | null, noun: string): Askable | undefined =>
  (result ? askablesOf(result) : []).find(({ nouns }) => nouns.includes(noun));

/** The kind of row that a noun names, of the result or of the account. */
const kindNamed = async (accountId: number, result: AnalysisResult | null, noun: string): Promise<Askable | null> =>
  kindIn(result, noun) ?? (await openAccountRows(accountId, noun, OWN_ROWS));

/** The last answer about rows of a conversation; null where there is none. */
async function readEarlier(
  accountId: number,
  conversationId: Types.ObjectId,
  result: AnalysisResult | null,
  of: number | undefined,
): Promise<Earlier | null> {
  const asked = await findLastRows(accountId, conversationId);
  if (asked === undefined) return null;
  const kind = asked ? await kindNamed(accountId, result, asked.query.entity) : null;
  return { asked, kind, isOutdated: asked?.of !== undefined && asked.of !== of };
}

/** What the built-in engine answers, and whether it may hold the company's words. */
export async function answerFromRecords(
  accountId: number,
  question: string,
  conversationId: Types.ObjectId | null,
): Promise<Grounded> {
  const [latest, ofAccount] = await Promise.all([
    findResultFor(accountId, conversationId),
    openAccountRows(accountId, queryLine(question).line, OWN_ROWS),
  ]);
  const result = latest ? await withStanding(latest, await loadResult(latest)) : null;
  const isFollowUp = conversationId !== null && mayFollow(question);
  const earlier = isFollowUp ? await readEarlier(accountId, conversationId, result, latest?._id) : null;
  const followUp = earlier && (await answerFollowUp(earlier, question, (noun) => kindNamed(accountId, result, noun)));
  const first = answerQuestion(result, question, ofAccount, null, followUp);
  const isUnknown = first.isDeclined || first.kind === 'unknown';
  const declined = isFollowUp && isUnknown ? declineFollowUp(earlier, question) : null;
  const answer =
    first.intent === 'status'
      ? answerQuestion(
          result,
          question,
          ofAccount,
          await describeStatus(accountId, nextSteps(result && latest && { status: latest.status, result })),
        )
      : (declined ?? first);
  const named = isFree(answer) ? answer : nameResult(answer, result, latest?._id);
  const isOfAll = named.isUnnamed && !followUp && conversationId !== null;
  const before = isOfAll ? await readEarlier(accountId, conversationId, result, latest?._id) : null;
  return {
    answer: before ? besideEarlier(named, before) : named,
    analysisId: latest?._id ?? null,
    result,
    isOfCompany: latest !== null || ofAccount !== null,
  };
}

/**
 * Answers a changed query over a result or the account.
 * @param of the analysis of the first answer; the company's newest without it
 * @throws AppError not_found
 */
export async function askAgain(accountId: number, query: Query, of?: number): Promise<Answered | null> {
  const latest = of === undefined ? await findCompanyResult(accountId) : await requireAnalysis(accountId, of);
  const result = latest?.resultFileId ? await withStanding(latest, await loadResult(latest)) : null;
  const answered = kindIn(result, query.entity)?.answer(query);
  if (answered) return { ...answered, asked: naming(answered.asked, result, latest?._id) };
  return answerAccountQuery(accountId, query, OWN_ROWS);
}

/** Asks the built-in engine, which counts, lists, sorts and groups what the account has. */
export const queryRecords = defineTool({
  name: 'query_records',
  description:
    'Counts, lists, sorts or groups rows of the company: hazards, causes, controls, findings, tickets, possible matches and proposals of the latest analysis, and analyses, decisions, questions, runs, schedules, documents, members and credits. Takes one plain question, e.g. “open hazards with a residual risk above 2”, “how many findings by level”, “which questions are waiting”. Refuses what it does not fully understand; then ask more simply.',
  input: z.object({ question: z.string().min(1).max(400) }),
  label: 'Looking through your records',
  effect: 'reads',
  run: async ({ question }, { accountId, userAgentId, conversationId }) =>
    toToolResult(await answerFromRecords(accountId, question, conversationId), userAgentId),
});

/** Describes one hazard, ticket, proposal or kind of hazard. */
export const describeItem = defineTool({
  name: 'describe_item',
  description:
    'Describes one hazard, ticket or proposal of the latest analysis, or one kind of hazard of the knowledge base (such as MED-02), by its exact id: ratings, controls, owner, status, tickets, findings, place in the log.',
  input: z.object({ id: z.string().min(1).max(60) }),
  label: 'Opening one item',
  effect: 'reads',
  run: async ({ id }, { accountId, userAgentId, conversationId }) =>
    toToolResult(await answerFromRecords(accountId, id, conversationId), userAgentId),
});

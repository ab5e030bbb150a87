import type { Types } from 'mongoose';
import { z } from 'zod';
import type { AskedQuery, Query } from '../../../../models/contracts/askedQuery.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { answerAccountQuery, kindOfRow, openAccountRows } from '../../../engine/accountRows/openAccountRows.ts';
import { describeStatus } from '../../../engine/intents/answerGeneral.ts';
import type { Answered } from '../../../engine/queries/answerQuery.ts';
import { defineTool } from '../../../engine/thinking/tool.ts';
import { type Answer, isFree } from '../answers/answer.ts';
import { answerQuestion } from '../answers/answerQuestion.ts';
import { OWN_TEXTS } from '../answers/plainAnswers.ts';
import { queryLine } from '../answers/rowQuery.ts';
import { ANALYSES, analyses } from '../queries/analyses.ts';
import { DECISIONS, decisions } from '../queries/decisions.ts';
import { askablesOf } from '../queries/entities.ts';
import { findCompanyResult, findResultFor, requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
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
const naming = (asked: AskedQuery, of: number | undefined): AskedQuery =>
  asked.hasTable && of !== undefined ? { ...asked, of } : asked;

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
  const result = latest ? await loadResult(latest) : null;
  const first = answerQuestion(result, question, ofAccount);
  const answer =
    first.intent === 'status'
      ? answerQuestion(result, question, ofAccount, await describeStatus(accountId, OWN_TEXTS.next))
      : first;
  const named = !isFree(answer) && answer.asked ? { ...answer, asked: naming(answer.asked, latest?._id) } : answer;
  return {
    answer: named,
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
  const ofResult = latest?.resultFileId ? askablesOf(await loadResult(latest)) : [];
  for (const askable of ofResult) {
    const answered = askable.nouns.includes(query.entity) ? askable.answer(query) : null;
    if (answered) return { ...answered, asked: naming(answered.asked, latest?._id) };
  }
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

import { z } from 'zod';
import { clinicalSafetyCard } from '../../../../models/contracts/clinical_safety/card.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { findFile } from '../../../../models/files.ts';
import { kindOfRow, openAccountRows } from '../../../engine/accountRows/openAccountRows.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { phraseAnswer } from '../../../engine/llm/phraseAnswer.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { answerQuestion, isFree } from '../answers/answer.ts';
import { queryLine } from '../answers/rowQuery.ts';
import { makeExport } from '../export/makeExport.ts';
import { ANALYSES, analyses } from '../queries/analyses.ts';
import { DECISIONS, decisions } from '../queries/decisions.ts';
import { findLatestResult, loadResult } from '../results/results.ts';
import { onlyReference, withIdsOnly } from './derived.ts';

/** Rows of the account that this agent keeps. */
const OWN_ROWS = [kindOfRow(ANALYSES, analyses), kindOfRow(DECISIONS, decisions)];

const replyState = z.object({ answer: z.string() });

/** A question with its grounded answer, or a request for the proposals as a file. */
const answerState = z.union([
  z.object({ intent: z.literal('new-hazards') }),
  z.object({
    question: z.string(),
    grounded: z.string(),
    fromLog: z.boolean(),
    /** The sent answer, and the model that worded it; false for none. */
    answer: z.string().optional(),
    model: z.union([z.string(), z.literal(false)]).optional(),
  }),
]);

type AnswerState = z.output<typeof answerState>;

/** Sends a free reply: a greeting, help or a refusal. It reserves no credits, so it works with an empty balance. */
export const replyWorkflow = defineWorkflow({
  name: 'clinical-safety-reply',
  state: replyState,
  title: null,
  first: 'reply',
  reserve: 0,
  steps: { reply: { label: 'Answer', run: reply } },
});

/**
 * Answers a question from the latest analysis and the knowledge base, worded by a language model if one is configured.
 */
export const answerWorkflow = defineWorkflow({
  name: 'clinical-safety-answer',
  state: answerState,
  tool: 'clinicalsafety',
  title: null,
  first: 'answer',
  reserve: LIMITS.credits.step,
  steps: { answer: { label: 'Answer', run: answer } },
});

/**
 * Finds the grounded answer to a question and the workflow to send it. Decided first, so that free answers reserve no
 * credits.
 */
export async function routeQuestion(accountId: number, question: string): Promise<Route> {
  const [latest, ofAccount] = await Promise.all([
    findLatestResult(accountId),
    openAccountRows(accountId, queryLine(question).line, OWN_ROWS),
  ]);
  const grounded = answerQuestion(latest ? await loadResult(latest) : null, question, ofAccount);
  // Refusals and greetings are sent unchanged: a model could only soften them.
  if (isFree(grounded)) return routeReply(question, grounded.text);
  // With an analysis or rows of the account, an answer may hold the company's words; else it is Arc's own knowledge.
  const state = { question, grounded: grounded.text, fromLog: latest !== null || ofAccount !== null };
  return { ...beginWith(answerWorkflow, question, state), tool: grounded.tool };
}

/** Routes to a free reply. */
export const routeReply = (question: string, text: string): Route =>
  beginWith(replyWorkflow, question, { answer: text });

/** Routes to the proposals as a file. @throws AppError no_analysis */
export async function routeNewHazards(accountId: number, question: string): Promise<Route> {
  if (!(await findLatestResult(accountId))?.newHazardsFileName) throw new AppError('no_analysis');
  return beginWith(answerWorkflow, question, { intent: 'new-hazards' });
}

async function reply({ state, say }: StepContext<z.output<typeof replyState>>): Promise<StepResult> {
  const text = state.answer;
  await say({ key: 'answer', kind: 'text', text });
  return { done: { output: text }, cost: 0 };
}

async function answer(context: StepContext<AnswerState>): Promise<StepResult<AnswerState>> {
  const { state } = context;
  const cost = LIMITS.credits.step;
  if ('intent' in state) return shareNewHazards(context, cost);
  const { text, tokens, model } = await phraseAnswer({
    role: clinicalSafetyCard.role,
    question: state.question,
    grounded: state.grounded,
    signal: context.signal,
  });
  await context.say({ key: 'answer', kind: 'text', text, derived: state.fromLog ? withIdsOnly(text) : null });
  return { done: { output: text }, state: { model, answer: text }, cost: cost + tokens };
}

async function shareNewHazards(context: StepContext<AnswerState>, cost: number): Promise<StepResult> {
  const latest = await findLatestResult(context.run.accountId);
  if (!latest?.newHazardsFileName) throw new AppError('no_analysis');
  const name = latest.newHazardsFileName;
  const file = (await makeExport(context.run.accountId, name)) ?? (await findFile({ name }).catch(() => null));
  if (!file) throw new AppError('no_analysis');
  const text = 'Here are the proposals with their evidence.';
  const derived = onlyReference(`The proposals are in Arc: ${linkToChat()}`);
  await context.say({ key: 'answer', kind: 'text', text, attachments: [attachmentOf(file)], derived });
  return { done: { output: text }, cost };
}

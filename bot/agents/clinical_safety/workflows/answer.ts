import { z } from 'zod';
import { type AskedQuery, askedQuery, pathOfList, pathOfRows } from '../../../../models/contracts/askedQuery.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { baseUrl } from '../../../../models/env.ts';
import { findFile } from '../../../../models/files.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { configuredModel } from '../../../engine/llm/model.ts';
import { defineThinking } from '../../../engine/thinking/defineThinking.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { type Answer, isFree } from '../answers/answerShape.ts';
import { makeExport } from '../export/makeExport.ts';
import { findResultFor } from '../results/findAnalysis.ts';
import { TOOLS } from '../tools/index.ts';
import { answerFromRecords } from '../tools/records.ts';
import { onlyReference, withIdsOnly } from './derived.ts';

const replyState = z.object({ answer: z.string() });

/** A question with its grounded answer, or a request for the proposals as a file. */
const answerState = z.union([
  z.object({ intent: z.literal('new-hazards') }),
  z.object({
    question: z.string(),
    grounded: z.string(),
    fromLog: z.boolean(),
    asked: askedQuery.optional(),
    /** The query of an answer about rows, which a later message can go on from; null where it had several. */
    rows: askedQuery.nullable().optional(),
    /** The sent answer. */
    answer: z.string().optional(),
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

/** Answers a question from the latest analysis, the account's rows and the knowledge base. */
export const answerWorkflow = defineWorkflow({
  name: 'clinical-safety-answer',
  state: answerState,
  tool: 'clinicalsafety',
  title: null,
  first: 'answer',
  reserve: LIMITS.credits.step,
  steps: { answer: { label: 'Answer', run: answer } },
});

/** Answers a question with a language model that uses the agent's tools. */
export const thinkWorkflow = defineThinking({
  name: 'clinical-safety-think',
  switch: 'clinicalsafety',
  tools: TOOLS,
  derive: withIdsOnly,
});

/** The conversation in which something is asked. */
type Place = Pick<ConversationRow, '_id' | 'accountId'>;

/**
 * Finds the grounded answer to a question and the workflow to send it. Decided first, so that free answers reserve no
 * credits. A configured model thinks about what the built-in engine answers, or did not understand.
 */
export async function routeQuestion({ _id: conversationId, accountId }: Place, question: string): Promise<Route> {
  const { answer: grounded, isOfCompany: fromLog } = await answerFromRecords(accountId, question, conversationId);
  const isOpen = !isFree(grounded) || grounded.kind === 'unknown' || grounded.isDeclined === true;
  if (isOpen && configuredModel()) {
    const state = { question, grounded: grounded.text, isAnswer: !isFree(grounded), fromLog, ...rowsOf(grounded) };
    return { ...beginWith(thinkWorkflow, question, state), tool: grounded.tool };
  }
  // Refusals and greetings are sent unchanged: a model could only soften them.
  if (isFree(grounded)) return routeReply(question, grounded.text);
  const { asked } = grounded;
  const state = { question, grounded: grounded.text, fromLog, ...(asked ? { asked } : {}), ...rowsOf(grounded) };
  return { ...beginWith(answerWorkflow, question, state), tool: grounded.tool };
}

/** What a later message can go on from. */
const rowsOf = ({ isOfRows, asked, goesOn }: Answer) => (isOfRows ? { rows: asked ?? goesOn ?? null } : {});

/** Routes to a free reply. */
export const routeReply = (question: string, text: string): Route =>
  beginWith(replyWorkflow, question, { answer: text });

/** Routes to the proposals as a file. @throws AppError no_analysis */
export async function routeNewHazards({ _id, accountId }: Place, question: string): Promise<Route> {
  if (!(await findResultFor(accountId, _id))?.newHazardsFileName) throw new AppError('no_analysis');
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
  const { grounded, fromLog, asked } = state;
  // Channels without chips get the link to the same rows.
  const text = asked && context.run.channel !== 'arc' ? `${grounded}\n${describeLink(asked, context.run)}` : grounded;
  const card = asked ? { asked } : null;
  await context.say({ key: 'answer', kind: 'text', text, card, derived: fromLog ? withIdsOnly(grounded) : null });
  return { done: { output: text }, state: { answer: text }, cost };
}

/** The question in one line, and the address of the same rows in the tables. */
function describeLink(
  { noun, chips, joins, query, hasTable, of }: AskedQuery,
  { userAgentId, agentId }: { userAgentId: number; agentId: string },
): string {
  const said = chips.map(({ label }) => label).join(` ${joins} `);
  const line = `Asked for: ${noun}${said ? ` that ${said}` : ''}.`;
  const path = hasTable ? pathOfRows(userAgentId, query, of) : pathOfList(agentId, query, of);
  return `${line} All rows: ${baseUrl()}${path}`;
}

async function shareNewHazards(context: StepContext<AnswerState>, cost: number): Promise<StepResult> {
  const latest = await findResultFor(context.run.accountId, context.run.conversationId);
  if (!latest?.newHazardsFileName) throw new AppError('no_analysis');
  const name = latest.newHazardsFileName;
  const file = (await makeExport(context.run.accountId, name)) ?? (await findFile({ name }).catch(() => null));
  if (!file) throw new AppError('no_analysis');
  const text = 'Here are the proposals with their evidence.';
  const derived = onlyReference(`The proposals are in Arc: ${linkToChat()}`);
  await context.say({ key: 'answer', kind: 'text', text, attachments: [attachmentOf(file)], derived });
  return { done: { output: text }, cost };
}

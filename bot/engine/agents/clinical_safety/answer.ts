import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { findFile } from '../../../../models/files.ts';
import type { MessageRow } from '../../../../models/message.ts';
import { linkToChat } from '../../delivery/consent.ts';
import { answerQuestion, isFree } from '../../hazards/answer.ts';
import { HELP } from '../../hazards/answers/plainAnswers.ts';
import { phraseAnswer } from '../../llm/phraseAnswer.ts';
import type { StepContext, StepResult, Workflow } from '../../workflows/workflow.ts';
import { attachmentOf } from './attachment.ts';
import { onlyReference, withIdsAlone } from './derived.ts';
import { makeExport } from './exports.ts';
import { findLatestResult, loadResult } from './results.ts';

/** Answers what was said: from the latest analysis and the knowledge base, with a model's wording where one is set. */
export const answerWorkflow: Workflow = {
  name: 'clinical-safety-answer',
  title: null,
  first: 'answer',
  reserve: LIMITS.credits.step,
  steps: { answer: { label: 'Answer', run: answer } },
};

async function answer(context: StepContext): Promise<StepResult> {
  const { run } = context;
  const cost = LIMITS.credits.step;
  if (run.state.intent === 'help') {
    await context.say({ key: 'answer', kind: 'text', text: HELP });
    return { done: { output: HELP }, cost: 0 };
  }
  if (run.state.intent === 'new-hazards') return shareNewHazards(context, cost);
  const question = String(run.state.question ?? '');
  const { text, tokens, model, derived, free } = await composeAnswer(run.accountId, question, context.signal);
  await context.say({ key: 'answer', kind: 'text', text, derived });
  return { done: { output: text }, state: { model, answer: text }, cost: free ? 0 : cost + tokens };
}

/** The grounded answer, worded by a model where one is configured. */
export async function composeAnswer(
  accountId: number,
  question: string,
  signal?: AbortSignal,
): Promise<{ text: string; tokens: number; model: string | false; derived: MessageRow['derived']; free: boolean }> {
  const latest = await findLatestResult(accountId);
  const grounded = answerQuestion(latest ? await loadResult(latest) : null, question);
  // A refusal or a greeting stands as it is: a model could only soften it.
  if (isFree(grounded)) return { text: grounded.text, tokens: 0, model: false, derived: null, free: true };
  const worded = await phraseAnswer(question, grounded.text, signal);
  // With an analysis at hand any answer may hold words of the log; without one it comes from our own knowledge.
  return { ...worded, derived: latest ? withIdsAlone(worded.text) : null, free: false };
}

async function shareNewHazards(context: StepContext, cost: number): Promise<StepResult> {
  const latest = await findLatestResult(context.run.accountId);
  if (!latest?.newHazardsFileName) throw new AppError('no_analysis');
  const name = latest.newHazardsFileName;
  const file = await findFile({ name }).catch(() => makeExport(context.run.accountId, name));
  if (!file) throw new AppError('no_analysis');
  const text = 'Here are the proposed hazards with their evidence.';
  const derived = onlyReference(`The proposed hazards are in Arc: ${linkToChat()}`);
  await context.say({ key: 'answer', kind: 'text', text, attachments: [attachmentOf(file)], derived });
  return { done: { output: text }, cost };
}

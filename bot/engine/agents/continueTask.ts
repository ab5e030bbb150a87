import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { AnswerBody, Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import { answerOf } from '../../../models/contracts/questionView.ts';
import type { Who } from '../../../models/policies/who.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { viewInterrupt } from '../delivery/viewInterrupt.ts';
import { answerInterrupt } from '../interrupts/answerInterrupt.ts';
import { findQuestion } from '../interrupts/listQuestions.ts';
import { requireAgentOf } from './requireAgentOf.ts';

/** An action by its id or its name, and words that go with it. */
type Choice = { action: string; text?: string | undefined };

/**
 * Goes on with an agent's task by answering the question that it waits for.
 * @returns the question as the person sees it, answered
 * @throws AppError not_found, wrong_agent, and what answering refuses
 */
export async function continueTask(who: Who, agentId: AgentId, interruptId: number, choice: Choice): Promise<Question> {
  const asked = await findQuestion(who, interruptId);
  if (!asked) throw new AppError('not_found');
  await requireAgentOf(who, asked.userAgentId, agentId);
  const row = await answerInterrupt(who, interruptId, continuedWith(asked, choice), 'inbox');
  return viewInterrupt(row, who, await readTimeZone(who.accountId));
}

/**
 * What going on with an action answers. An action is named; where the question asks for nothing but words, what is
 * given is the words. What opens rows is decided row by row: no single action goes on with it.
 */
function continuedWith({ view }: Question, { action, text }: Choice): AnswerBody {
  const named = view.actions.find(({ id, name }) => name === action || id === action);
  const [only] = view.actions;
  const chosen = named ?? (view.actions.length === 1 && only?.fields.length ? only : undefined);
  if (!chosen || view.actions.some(({ opens }) => opens)) return {};
  const words = named ? text : (text ?? action);
  const fields = Object.fromEntries(chosen.fields.map((name) => [name, words]));
  return answerOf(view, { action: chosen.id, fields }) ?? {};
}

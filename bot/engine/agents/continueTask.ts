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

/** An action by id or name, with optional text. */
type Choice = { action: string; text?: string | undefined };

/**
 * Continues an agent's task by answering its pending question.
 * @returns the answered question as the person sees it
 * @throws AppError not_found, wrong_agent, and the errors of answerInterrupt
 */
export async function continueTask(who: Who, agentId: AgentId, interruptId: number, choice: Choice): Promise<Question> {
  const asked = await findQuestion(who, interruptId);
  if (!asked) throw new AppError('not_found');
  await requireAgentOf(who, asked.userAgentId, agentId);
  const row = await answerInterrupt(who, interruptId, continuedWith(asked, choice), 'inbox');
  return viewInterrupt(row, who, await readTimeZone(who.accountId));
}

/**
 * The answer that an action stands for. Where the question has only a text field, `action` itself may be the text.
 * Questions with rows are answered row by row, so no single action answers them.
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

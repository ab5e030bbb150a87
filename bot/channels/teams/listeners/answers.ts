import { AppError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { CONSENT_MODES, type ConsentMode } from '../../../../models/contracts/preferences.ts';
import { answerOf } from '../../../../models/contracts/questionView.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import { inputOf } from '../cards/card.ts';

/** What a card's button carries, with what was typed beside it. */
export type Pressed = Record<string, unknown> & { verb?: string; interruptId?: number };

/** The number of the question that a button is of. @throws AppError not_found */
export function idIn({ interruptId }: Pressed): number {
  if (!Number.isInteger(interruptId)) throw new AppError('not_found');
  return interruptId as number;
}

/** Under which mode what was pressed was drawn; undefined for a card that does not say. */
export const drawnUnderIn = (pressed: Pressed): ConsentMode | undefined =>
  CONSENT_MODES.find((mode) => mode === pressed.drawnUnder);

/** The question as the member sees it. @throws AppError not_found */
export async function requireQuestion(who: Who, pressed: Pressed): Promise<Question> {
  const question = await findQuestion(who, idIn(pressed));
  if (!question) throw new AppError('not_found');
  return question;
}

/**
 * The action that a button stands for. A number is what buttons of before carried for an option: what else reads as one,
 * e.g. nothing as the first, chooses nothing.
 */
const actionOf = ({ verb, option }: Pressed): string =>
  verb === 'option' && typeof option === 'number' ? `option:${option}` : (verb ?? '');

/** Fields of cards that were posted before 0.2.0: their inputs had the bare names as ids. */
const BARE_INPUTS: readonly string[] = ['answer', 'change', 'reason'];

/** What was typed, by the names of the fields. */
const typedIn = (pressed: Pressed, { fields }: Pick<Question['view'], 'fields'>): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ name }) => [
      name,
      pressed[inputOf(name)] ?? (BARE_INPUTS.includes(name) ? pressed[name] : undefined),
    ]),
  );

/** Whether a button answers a question; the others only show one. */
export const isAnswer = (verb: string | undefined): verb is string => verb !== undefined && verb !== 'refresh';

/** Records an answer that came by a button in Teams. @throws AppError as {@link answerInterrupt} does */
export async function answerByButton(who: Who, pressed: Pressed): Promise<void> {
  // Answered already or not is for the answer itself to find out: the same one again, as Teams may send it, is no fault.
  const question = await requireQuestion(who, pressed);
  const action = actionOf(pressed);
  const body = answerOf(question.view, { action, fields: typedIn(pressed, question.view) });
  // No button of ours: nothing was pressed. An option that is not there is refused by the question's own words.
  if (!body && !action.startsWith('option')) return;
  await answerInterrupt(who, question.id, body ?? {}, 'teams', drawnUnderIn(pressed));
}

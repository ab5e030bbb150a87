import { AppError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { CONSENT_MODES, type ConsentMode } from '../../../../models/contracts/preferences.ts';
import { answerOf, wasDrawn } from '../../../../models/contracts/questionView.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import { inputOf } from '../cards/card.ts';

/** The data of a pressed button, together with the card's inputs. */
export type Pressed = Record<string, unknown> & { verb?: string; interruptId?: number };

/** The id of a button's question. @throws AppError not_found */
export function requireInterruptId({ interruptId }: Pressed): number {
  if (!Number.isInteger(interruptId)) throw new AppError('not_found');
  return interruptId as number;
}

/** The consent mode under which the card was drawn; undefined where the card does not say. */
export const readDrawnUnder = (pressed: Pressed): ConsentMode | undefined =>
  CONSENT_MODES.find((mode) => mode === pressed.drawnUnder);

/** A button's question as the member sees it. @throws AppError not_found */
export async function requireQuestion(who: Who, pressed: Pressed): Promise<Question> {
  const question = await findQuestion(who, requireInterruptId(pressed));
  if (!question) throw new AppError('not_found');
  return question;
}

/**
 * The action of a button. Cards posted before 0.2.0 name an option by its number. Only a real number counts, so that a
 * missing value does not choose the first option.
 */
const actionOf = ({ verb, option }: Pressed): string =>
  verb === 'option' && typeof option === 'number' ? `option:${option}` : (verb ?? '');

/** Fields of cards posted before 0.2.0, whose inputs had the field's name as id. */
const BARE_INPUTS: readonly string[] = ['answer', 'change', 'reason'];

/** The inputs by the names of the fields. */
const readFields = (pressed: Pressed, { fields }: Pick<Question['view'], 'fields'>): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ name }) => [
      name,
      pressed[inputOf(name)] ?? (BARE_INPUTS.includes(name) ? pressed[name] : undefined),
    ]),
  );

/** Whether a button answers a question rather than only refreshing it. */
export const isAnswer = (verb: string | undefined): verb is string => verb !== undefined && verb !== 'refresh';

/** Records an answer given by a button in Teams. @throws AppError as {@link answerInterrupt} does */
export async function answerByButton(who: Who, pressed: Pressed): Promise<void> {
  // Not checked for a pending status here: Teams may send the same answer twice, which answerInterrupt accepts.
  const question = await requireQuestion(who, pressed);
  const action = actionOf(pressed);
  const body = answerOf(question.view, { action, fields: readFields(pressed, question.view) });
  if (!body && wasDrawn(question, action)) throw new AppError('conflict');
  // Ignores an unknown verb. An unknown option is passed on, so that answerInterrupt refuses it.
  if (!body && !action.startsWith('option')) return;
  await answerInterrupt(who, question.id, body ?? {}, 'teams', { drawnUnder: readDrawnUnder(pressed) });
}

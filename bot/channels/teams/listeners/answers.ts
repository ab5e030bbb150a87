import { AppError } from '../../../../models/contracts/errors.ts';
import type { AnswerBody, Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { CONSENT_MODES, type ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';

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

const typed = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const missing = (field: string, text: string) => new AppError('bad_request', {}, { fields: { [field]: text } });

/** What each button answers, by its verb. */
const ANSWERS: Record<string, (question: Question, pressed: Pressed) => AnswerBody> = {
  approve: () => ({ approved: true }),
  reject(_question, { reason }) {
    if (!typed(reason)) throw missing('reason', 'Say why it is rejected.');
    return { approved: false, reason: typed(reason).slice(0, 2000) };
  },
  option({ options, interruptType }, { option, change }) {
    // A number is what our buttons carry: what else reads as one, e.g. nothing as the first, chooses nothing.
    const it = typeof option === 'number' ? options[option] : undefined;
    const choice = typeof it === 'string' ? it : it?.id;
    if (interruptType === 'decision') return { selectedOption: choice };
    return { userResponse: { choice, ...(typed(change) ? { text: typed(change) } : {}) } };
  },
  input: (_question, { answer }) => ({ userInput: typed(answer) }),
};

export const isAnswer = (verb: string | undefined): verb is string => ownEntry(ANSWERS, verb) !== undefined;

/**
 * Records an answer that came by a button in Teams.
 * @throws AppError as {@link answerInterrupt} does, and bad_request where a reason is missing
 */
export async function answerByButton(who: Who, pressed: Pressed): Promise<void> {
  // Answered already or not is for the answer itself to find out: the same one again, as Teams may send it, is no fault.
  const question = await requireQuestion(who, pressed);
  const body = ownEntry(ANSWERS, pressed.verb)?.(question, pressed);
  if (!body) throw new AppError('bad_request');
  await answerInterrupt(who, question.id, body, 'teams', drawnUnderIn(pressed));
}

/** Records a review that was made row by row. */
export async function answerReview(who: Who, question: Question, drawnUnder?: ConsentMode): Promise<void> {
  const { rows = [], version: draftVersion } = question.draft ?? {};
  await answerInterrupt(who, question.id, { userResponse: { rows }, draftVersion }, 'teams', drawnUnder);
}

import { AppError } from '../../../../models/contracts/errors.ts';
import type { ReviewRow } from '../../../../models/contracts/hazards.ts';
import type { AnswerBody, Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import { saveDraft } from '../../../engine/interrupts/saveDraft.ts';

/** What a card's button carries, with what was typed beside it. */
export type Pressed = Record<string, unknown> & { verb?: string; interruptId?: number };

/** The question as the member sees it. @throws AppError not_found */
export async function requireQuestion(who: Who, interruptId: unknown): Promise<Question> {
  const question = Number.isInteger(interruptId) ? await findQuestion(who, interruptId as number) : null;
  if (!question) throw new AppError('not_found');
  return question;
}

/** The same, where it still waits. @throws AppError not_found, already_answered with who answered */
export async function requireOpen(who: Who, interruptId: unknown): Promise<Question> {
  const question = await requireQuestion(who, interruptId);
  if (question.status === 'pending') return question;
  const text =
    question.status === 'cancelled'
      ? 'This question was withdrawn.'
      : `This was answered already. ${question.resolution?.text ?? ''}. That answer stands.`;
  throw new AppError('already_answered', { text });
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
  option({ options, interruptType }, { option }) {
    const it = options[Number(option)];
    const chosen = typeof it === 'string' ? it : it?.id;
    return interruptType === 'decision' ? { selectedOption: chosen } : { userResponse: { choice: chosen } };
  },
  input: (_question, { answer }) => ({ userInput: typed(answer) }),
};

export const isAnswer = (verb: string | undefined): verb is string => verb !== undefined && verb in ANSWERS;

/**
 * Records an answer that came by a button in Teams.
 * @throws AppError as {@link answerInterrupt} does, and bad_request where a reason is missing
 */
export async function answerByButton(who: Who, pressed: Pressed): Promise<void> {
  const question = await requireOpen(who, pressed.interruptId);
  const body = ANSWERS[pressed.verb ?? '']?.(question, pressed);
  if (!body) throw new AppError('bad_request');
  await answerInterrupt(who, question.id, body, 'teams');
}

/** Records a review that was made row by row. */
export async function answerReview(who: Who, question: Question): Promise<void> {
  await answerInterrupt(who, question.id, { userResponse: { rows: question.draft?.rows ?? [] } }, 'teams');
}

/**
 * Keeps the decision on one row of a review.
 * @returns the question with the draft as it stands, read again where another reviewer saved in between
 */
export async function keepRow(who: Who, question: Question, row: ReviewRow): Promise<Question> {
  const save = async (standing: Question) => {
    const rows = [...(standing.draft?.rows ?? []).filter(({ id }) => id !== row.id), row];
    await saveDraft(who, standing.id, rows, standing.draft?.version ?? 0);
  };
  try {
    await save(question);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    await save(await requireOpen(who, question.id));
  }
  return requireOpen(who, question.id);
}

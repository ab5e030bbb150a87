import { AppError } from '../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { Who } from '../../../models/policies/who.ts';
import { findQuestion } from './listQuestions.ts';

/**
 * A pending question as the member sees it.
 * @throws AppError not_found, already_answered with who answered
 */
export async function requireOpen(who: Who, interruptId: number): Promise<Question> {
  const question = await findQuestion(who, interruptId);
  if (!question) throw new AppError('not_found');
  if (question.status !== 'pending') {
    const text =
      question.status === 'cancelled'
        ? 'This question was withdrawn.'
        : `This was answered already. ${question.resolution?.text ?? ''}. That answer stands.`;
    throw new AppError('already_answered', { text });
  }
  return question;
}

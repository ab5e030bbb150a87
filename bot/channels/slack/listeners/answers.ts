import { AppError } from '../../../../models/contracts/errors.ts';
import type { ReviewRow } from '../../../../models/contracts/hazards.ts';
import type { AnswerBody, Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import { saveDraft } from '../../../engine/interrupts/saveDraft.ts';
import type { SlackInstallation } from '../installations.ts';
import { identifySlackUser } from '../people.ts';

/** The member who clicked. @throws AppError not_allowed for anyone who is none */
export async function requireMember(installation: SlackInstallation, slackUserId: string): Promise<Who> {
  const { who } = await identifySlackUser(installation, slackUserId);
  if (!who) throw new AppError('not_allowed');
  return who;
}

/** The question as the member sees it. @throws AppError not_found, already_answered with who answered */
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

/** Records an answer that came by a click in Slack. */
export function answer(who: Who, interruptId: number, body: AnswerBody, home = false) {
  return answerInterrupt(who, interruptId, body, home ? 'slack-home' : 'slack');
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

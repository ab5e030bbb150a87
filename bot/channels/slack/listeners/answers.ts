import { AppError } from '../../../../models/contracts/errors.ts';
import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';
import { answerOf, type PressedAction } from '../../../../models/contracts/questionView.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { memberOf } from '../../../engine/accounts/matchIdentity.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import type { Pressed } from '../cards/modals.ts';
import type { SlackInstallation } from '../installations.ts';
import { identifySlackUser } from '../people.ts';

/** The member who clicked. @throws AppError not_allowed for anyone else */
export async function requireMember(installation: SlackInstallation, slackUserId: string): Promise<Who> {
  return memberOf(await identifySlackUser(installation, slackUserId));
}

/** Records an answer given by a click in Slack. */
export function answer(who: Who, { interruptId, drawnUnder, home }: Pressed & { home: boolean }, body: AnswerBody) {
  return answerInterrupt(who, interruptId, body, home ? 'slack-home' : 'slack', { drawnUnder });
}

/**
 * The answer that a pressed action gives, whatever part of the question was shown.
 * @returns null where the action answers nothing
 * @throws AppError not_found
 */
export async function answerPressed(who: Who, interruptId: number, pressed: PressedAction): Promise<AnswerBody | null> {
  const question = await findQuestion(who, interruptId);
  if (!question) throw new AppError('not_found');
  return answerOf(question.view, pressed);
}

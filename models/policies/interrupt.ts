import { AppError } from '../contracts/errors.ts';
import type { InterruptRow } from '../interrupt.ts';
import { answeringOf, may, requirementOf } from './actions.ts';
import type { Who } from './who.ts';

type Asked = Pick<InterruptRow, 'accountId' | 'requires'>;

/** Whether somebody may answer a question, or withdraw what people have answered of it. Fails closed. */
export function mayAnswer(who: Who, interrupt: Asked): boolean {
  return !who.isProgram && who.accountId === interrupt.accountId && may(who, answeringOf(interrupt));
}

/** Whether somebody gave the first of two signatures under an open question: it then waits for another person. */
export const hasSigned = (userId: number, { firstSignature }: Pick<InterruptRow, 'firstSignature'>): boolean =>
  firstSignature != null && firstSignature.userId === userId;

/** Whether an open question waits for this person's answer. */
export const waitsFor = (who: Who, interrupt: Asked & Pick<InterruptRow, 'firstSignature'>): boolean =>
  mayAnswer(who, interrupt) && !hasSigned(who.userId, interrupt);

/** @throws AppError needs_officer, not_allowed */
export function requireMayAnswer(who: Who, interrupt: Asked): void {
  if (mayAnswer(who, interrupt)) return;
  const waitsForOfficer = who.accountId === interrupt.accountId && requirementOf(interrupt) && who.hasOfficer;
  throw new AppError(waitsForOfficer ? 'needs_officer' : 'not_allowed');
}

/** Who has to answer a question, as shown to members who may not. */
export function waitsForText(who: Pick<Who, 'hasOfficer'>, interrupt: Pick<Asked, 'requires'>): string {
  if (!requirementOf(interrupt)) return 'This question waits for the account owner or an approver.';
  return who.hasOfficer
    ? 'This question waits for the Clinical Safety Officer or a deputy.'
    : 'This question waits for the account owner, who can also appoint a Clinical Safety Officer.';
}

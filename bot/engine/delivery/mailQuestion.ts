import type { InterruptRow } from '../../../models/interrupt.ts';
import { Member, type MemberRow } from '../../../models/member.ts';
import { quietUntil, readCalendar } from '../accounts/calendar.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import type { Occasion } from '../mail/mails/questionWaits.ts';
import { mailMember } from './deliverMail.ts';
import { isAnswerableBy } from './mails.ts';

/**
 * Mails a question to those of the members who may answer it, once each per occasion, and again after a pause; in quiet
 * hours, at their end.
 */
export async function mailQuestion(
  row: InterruptRow,
  occasion: Occasion,
  members: readonly MemberRow[],
): Promise<void> {
  const { accountId, _id: interruptId } = row;
  const hasOfficer = await hasAnOfficer(accountId);
  const quiet = quietUntil(new Date(), await readCalendar(accountId));
  // What was put off is brought up anew.
  const round = row.snooze ? `:${row.snooze.until.toISOString()}` : '';
  for (const member of members) {
    if (!isAnswerableBy(row, member, hasOfficer)) continue;
    const { userId } = member;
    const key = `question:${interruptId}:${occasion}${round}`;
    await mailMember({ accountId, userId }, key, 'question', { interruptId, occasion }, quiet);
  }
}

/** Mails a new question to the members who chose a mail for each question. */
export async function mailAtOnce(row: InterruptRow): Promise<void> {
  const members = await Member.find({ accountId: row.accountId, questionMail: 'at-once' }).lean();
  if (members.length > 0) await mailQuestion(row, 'asked', members);
}

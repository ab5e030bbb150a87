import { LIMITS } from '../../../models/contracts/limits.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Member, type MemberRow, type Role } from '../../../models/member.ts';
import { requirementOf } from '../../../models/policies/actions.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { User } from '../../../models/user.ts';
import { addWorkingMinutes, type Calendar, quietUntil, readCalendar } from '../accounts/calendar.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { linkToReview } from '../delivery/consent.ts';
import { conversationOf } from '../delivery/deliverQuestion.ts';
import { mailQuestion } from '../delivery/mailQuestion.ts';
import { isAnswerableBy } from '../delivery/mails.ts';
import { say } from '../delivery/say.ts';
import { chatOf } from '../outside/chatOf.ts';
import { assigneeOf } from './assignee.ts';

/** `remindAt` of an escalated question: it gets no further reminder. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/**
 * Reminds people of open questions, then escalates the questions to the deputies: each once, after the working hours of
 * `LIMITS.reminders`, never in quiet hours.
 */
export async function remindOfQuestions(now = new Date()): Promise<void> {
  const due = await dangerouslyRunInEveryAccount(() =>
    Interrupt.find({ status: 'pending', $or: [{ remindAt: null }, { remindAt: { $lte: now } }] })
      .sort({ _id: 1 })
      .limit(200)
      .lean(),
  );
  for (const row of due) {
    await runInAccount(row.accountId, () => remind(row, now)).catch((error: unknown) =>
      logger.error(
        { err: error, question: row._id },
        'nobody was reminded of a question; the next run of the job retries',
      ),
    );
  }
}

async function remind(row: InterruptRow, now: Date): Promise<void> {
  const calendar = await readCalendar(row.accountId);
  const allowed = LIMITS.reminders[requirementOf(row) ? 'urgent' : 'usual'];
  const stage = row.reminders ?? 0;
  const at = stage === 0 ? firstReminder(row, allowed.remind, calendar) : escalationOf(row, allowed.escalate, calendar);
  if (at > now) return note(row, stage, at);
  const quiet = quietUntil(now, calendar);
  if (quiet) return note(row, stage, quiet);
  if (stage === 0) await remindOnce(row, allowed.remind);
  else await escalate(row);
  // Last: after a crash in between, the keys drop effects that were already written.
  await note(row, stage + 1, stage === 0 ? escalationOf(row, allowed.escalate, calendar) : NEVER);
}

/** When people are reminded first: at the end of a pause, if somebody put the question off. */
const firstReminder = ({ createdAt, snooze }: InterruptRow, minutes: number, calendar: Calendar): Date =>
  snooze?.until ?? addWorkingMinutes(createdAt, minutes, calendar);

const escalationOf = ({ createdAt, snooze }: InterruptRow, minutes: number, calendar: Calendar): Date =>
  addWorkingMinutes(snooze?.until ?? createdAt, minutes, calendar);

/** Each round of reminders has its own keys: a question that was put off is brought up anew. */
const roundOf = ({ _id, snooze }: InterruptRow): string => (snooze ? `${_id}:${snooze.until.toISOString()}` : `${_id}`);

const note = async ({ _id, accountId }: InterruptRow, reminders: number, remindAt: Date): Promise<void> => {
  await Interrupt.updateOne({ _id, accountId, status: 'pending' }, { $set: { reminders, remindAt } });
};

async function remindOnce(row: InterruptRow, minutes: number): Promise<void> {
  const { accountId, _id } = row;
  await recordEvent(accountId, 'interrupt.reminded', {
    userId: null,
    surface: 'schedule',
    subject: `interrupt:${_id}`,
    outcome: row.snooze ? 'at the end of a pause' : `after ${minutes / 60} working hours`,
    key: roundOf(row),
  });
  const conversation = await conversationOf(row);
  const text = `Question ${_id} still waits for an answer: ${linkToReview(_id)}`;
  if (conversation)
    await say(conversation, { key: `reminder:${roundOf(row)}`, messageType: 'system', kind: 'text', text });
  await mailQuestion(row, 'reminded', await remindedMembers(row));
}

/** Who is mailed a reminder: the member to whom the question is assigned, else everybody; who wants no mails gets none. */
async function remindedMembers(row: InterruptRow): Promise<MemberRow[]> {
  const { accountId } = row;
  const members = await Member.find({ accountId }).lean();
  const assignee = assigneeOf(row, members, await hasAnOfficer(accountId));
  return (assignee ? [assignee] : members).filter(({ questionMail }) => questionMail !== 'never');
}

const ASKED_DEPUTY = 'The deputy has been asked too.';
const NO_DEPUTY = 'There is no deputy to ask; an owner can make a member the deputy under Preferences.';

/**
 * Escalates a question to the deputies, or without any to the owners who may answer it: in the chat that each uses, and
 * by mail unless they chose "never".
 */
async function escalate(row: InterruptRow): Promise<void> {
  const { accountId, _id } = row;
  const members = await Member.find({ accountId }).lean();
  const hasOfficer = await hasAnOfficer(accountId);
  const who = (role: Role) =>
    members.filter((member) => member.roles.includes(role) && isAnswerableBy(row, member, hasOfficer));
  const deputies = who('deputy');
  const to = deputies.length > 0 ? deputies : who('owner');
  await recordEvent(accountId, 'interrupt.escalated', {
    userId: null,
    surface: 'schedule',
    subject: `interrupt:${_id}`,
    outcome: to.length > 0 ? `to ${to.map(({ userId }) => `user:${userId}`).join(' ')}` : 'to nobody',
    key: roundOf(row),
  });
  const conversation = await conversationOf(row);
  const text = `Question ${_id} has not been answered in time. ${deputies.length > 0 ? ASKED_DEPUTY : NO_DEPUTY}`;
  if (conversation)
    await say(conversation, { key: `escalated:${roundOf(row)}`, messageType: 'system', kind: 'text', text });
  for (const member of to) await sayTo(row, member);
  await mailQuestion(
    row,
    'escalated',
    to.filter(({ questionMail }) => questionMail !== 'never'),
  );
}

async function sayTo(row: InterruptRow, { userId }: MemberRow): Promise<void> {
  const { accountId, _id } = row;
  const user = await User.findById(userId, { email: 1 }).lean();
  const chat = user && (await chatOf(accountId, user.email));
  const text = `Question ${_id} still waits, and the people who were asked first have not answered. You can answer it: ${linkToReview(_id)}`;
  if (chat) await say(chat, { key: `escalated:${roundOf(row)}:${userId}`, messageType: 'system', kind: 'text', text });
}

import type { QuestionMail } from '../../../models/contracts/preferences.ts';
import { USUAL_QUESTION_MAIL } from '../../../models/contracts/preferences.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Member, type MemberRow } from '../../../models/member.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { type Calendar, localTime, quietUntil, readCalendar } from '../accounts/calendar.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import { mailMember } from '../delivery/deliverMail.ts';
import { isAnswerableBy } from '../delivery/mails.ts';
import { assigneeOf } from './assignee.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** When daily digests are sent, in minutes since midnight. */
const DAILY_AT = 9 * 60;
/** A clock change moves yesterday's 09:00 by an hour; within this margin it is the same digest. */
const CLOCK_CHANGE_MS = 2 * 60 * MINUTE_MS;

/**
 * Mails digests of open questions: hourly when there is a new one, daily while any waits. Nothing is sent in quiet hours;
 * the first digest after them includes what was asked meanwhile.
 */
export async function mailDigests(now = new Date()): Promise<void> {
  const accounts = await dangerouslyRunInEveryAccount(() => Interrupt.distinct('accountId', { status: 'pending' }));
  for (const accountId of accounts) {
    await runInAccount(accountId, () => mailDigestsOf(accountId, now)).catch((error: unknown) =>
      logger.error({ err: error, account: accountId }, 'digests were not mailed; the next run of the job retries'),
    );
  }
}

/** Choices of mails that are no digests. */
const NOT_BY_DIGEST: ReadonlySet<QuestionMail> = new Set(['at-once', 'never']);

type Waiting = Pick<InterruptRow, '_id' | 'requires' | 'createdAt' | 'assignee' | 'snooze' | 'firstSignature'>;

async function mailDigestsOf(accountId: number, now: Date): Promise<void> {
  const calendar = await readCalendar(accountId);
  if (quietUntil(now, calendar)) return;
  const [members, waiting, hasOfficer] = await Promise.all([
    Member.find({ accountId }).lean(),
    Interrupt.find(
      { accountId, status: 'pending' },
      { requires: 1, createdAt: 1, assignee: 1, snooze: 1, firstSignature: 1 },
    )
      .sort({ _id: 1 })
      .lean(),
    hasAnOfficer(accountId),
  ]);
  const open = waiting.filter(({ snooze }) => !(snooze && snooze.until > now));
  for (const member of members) {
    if (NOT_BY_DIGEST.has(member.questionMail ?? USUAL_QUESTION_MAIL)) continue;
    const to = digestTime(member.questionMail ?? USUAL_QUESTION_MAIL, now, calendar);
    // What is assigned to somebody else is in no other digest.
    const own = open.filter(
      (row) =>
        isAnswerableBy(row, member, hasOfficer) &&
        (assigneeOf(row, members, hasOfficer) ?? member).userId === member.userId,
    );
    if (!isDue(member, own, to)) continue;
    const { userId } = member;
    const interruptIds = own.map(({ _id }) => _id);
    await mailMember({ accountId, userId }, `digest:${to.toISOString()}`, 'digest', { interruptIds });
    // Last: after a crash in between, the mail is written again and dropped by its key.
    await Member.updateOne({ accountId, userId }, { $set: { mailedTo: to } });
  }
}

/** The latest scheduled time of a digest: the start of the hour, or 09:00, in the company's time zone. */
function digestTime(mode: QuestionMail, now: Date, { timeZone }: Calendar): Date {
  const { minutes } = localTime(now, timeZone);
  const ago = mode === 'daily' ? (minutes - DAILY_AT + DAY_MINUTES) % DAY_MINUTES : minutes % 60;
  return new Date((Math.floor(now.getTime() / MINUTE_MS) - ago) * MINUTE_MS);
}

/** Whether a member gets a digest: daily while any question waits, hourly if one was asked since the last digest. */
function isDue({ questionMail, mailedTo }: MemberRow, own: readonly Waiting[], to: Date): boolean {
  const last = mailedTo?.getTime() ?? 0;
  if (questionMail === 'daily')
    return to.getTime() - last > CLOCK_CHANGE_MS && own.some(({ createdAt }) => createdAt < to);
  return own.some(({ createdAt }) => createdAt < to && createdAt.getTime() >= last);
}

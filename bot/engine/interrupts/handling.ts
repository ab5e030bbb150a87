import { randomUUID } from 'node:crypto';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Pause } from '../../../models/contracts/interrupts.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { requireMayAnswer } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { pauseUntil, readCalendar } from '../accounts/calendar.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import { type MemberWithUser, memberName, readMembers } from '../accounts/members.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { mailQuestion } from '../delivery/mailQuestion.ts';
import { isAnswerableBy } from '../delivery/mails.ts';
import { redrawOpen } from '../delivery/redrawOpen.ts';
import { digestOf } from './digest.ts';

/**
 * A question of the company that is still open.
 * @throws AppError not_found, not_available once it is closed
 */
async function requireOpen(who: Who, interruptId: number): Promise<InterruptRow> {
  const row = await Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean();
  if (!row) throw new AppError('not_found');
  if (row.status !== 'pending') throw closed(interruptId);
  return row;
}

const closed = (interruptId: number) => new AppError('not_available', { text: `Question ${interruptId} is closed.` });

/**
 * Changes an open question and draws it again where it stands.
 * @throws AppError not_available where it was closed meanwhile
 */
async function change({ _id, accountId }: InterruptRow, write: Record<string, unknown>): Promise<InterruptRow> {
  const changed = await changing(accountId, ['interrupts'], () =>
    Interrupt.findOneAndUpdate({ _id, status: 'pending' }, write, { returnDocument: 'after' }).lean(),
  );
  if (!changed) throw closed(_id);
  redrawOpen(changed);
  return changed;
}

/**
 * The members who may answer an open question, for those who may assign it.
 * @throws AppError not_found, not_allowed, needs_officer, not_available
 */
export async function listAssignees(who: Who, interruptId: number): Promise<MemberWithUser[]> {
  const row = await requireOpen(who, interruptId);
  requireMayAnswer(who, row);
  const [{ members }, hasOfficer] = await Promise.all([readMembers(who.accountId), hasAnOfficer(who.accountId)]);
  return members.filter((member) => isAnswerableBy(row, member, hasOfficer));
}

/**
 * Assigns an open question to a member who may answer it, and mails them; others may still answer.
 * @param userId null assigns it to nobody
 * @throws AppError not_found, not_allowed, needs_officer, not_available, bad_request for somebody who may not answer it
 */
export async function assignQuestion(
  who: Who,
  interruptId: number,
  userId: number | null,
  via: Surface,
): Promise<InterruptRow> {
  const row = await requireOpen(who, interruptId);
  requireMayAnswer(who, row);
  const able = userId === null ? [] : await listAssignees(who, interruptId);
  const member = able.find((one) => one.userId === userId);
  if (userId !== null && !member)
    throw new AppError('bad_request', {}, { fields: { userId: 'Choose a member who may answer this question.' } });
  if ((row.assignee?.userId ?? null) === userId) return row;
  await recordEvent(who.accountId, 'interrupt.assigned', {
    userId: who.userId,
    surface: via,
    subject: `interrupt:${interruptId}`,
    outcome: userId === null ? 'to nobody' : `to user:${userId}`,
  });
  const assignee = member ? { userId: member.userId, name: memberName(member) } : null;
  const changed = await change(row, { $set: { assignee } });
  if (member && userId !== who.userId) await mailQuestion(changed, 'assigned', [member]);
  return changed;
}

/**
 * Puts an open question off: until then nobody is reminded of it, and it is in no digest. Then it is brought up again.
 * @param pause null ends it
 * @throws AppError not_found, not_allowed, needs_officer, not_available
 */
export async function snoozeQuestion(
  who: Who,
  interruptId: number,
  pause: Pause | null,
  via: Surface,
  now = new Date(),
): Promise<InterruptRow> {
  const row = await requireOpen(who, interruptId);
  requireMayAnswer(who, row);
  const until = pause && pauseUntil(now, pause, await readCalendar(who.accountId));
  await recordEvent(who.accountId, 'interrupt.snoozed', {
    userId: who.userId,
    surface: via,
    subject: `interrupt:${interruptId}`,
    outcome: until ? `until ${until.toISOString()}` : 'ended',
  });
  const snooze = until && { until, by: { userId: who.userId, name: who.name } };
  return change(row, { $set: { snooze, reminders: 0, remindAt: until } });
}

/**
 * Adds a comment to an open question. Every member may: a comment answers nothing.
 * @throws AppError not_found, not_allowed for programs, not_available, bad_request for an empty text or one comment too
 *   many
 */
export async function commentOnQuestion(
  who: Who,
  interruptId: number,
  text: string,
  via: Surface,
): Promise<InterruptRow> {
  const row = await requireOpen(who, interruptId);
  if (who.isProgram) throw new AppError('not_allowed');
  const said = text.trim().slice(0, LIMITS.questionComments.characters);
  const refuse = (why: string) => new AppError('bad_request', {}, { fields: { text: why } });
  if (said === '') throw refuse('Write what you want to say.');
  if ((row.comments ?? []).length >= LIMITS.questionComments.count)
    throw refuse(`A question has at most ${LIMITS.questionComments.count} comments.`);
  await recordEvent(who.accountId, 'interrupt.commented', {
    userId: who.userId,
    surface: via,
    subject: `interrupt:${interruptId}`,
    outcome: digestOf(said),
  });
  const comment = { id: randomUUID(), userId: who.userId, name: who.name, via, at: new Date(), text: said };
  return change(row, { $push: { comments: comment } });
}

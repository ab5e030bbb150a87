import { wordsSurfaceOf } from '../../../models/contracts/channels.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Pause } from '../../../models/contracts/interrupts.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import { momentText } from '../../../models/contracts/zonedText.ts';
import { memberName } from '../accounts/members.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { assignQuestion, commentOnQuestion, listAssignees, snoozeQuestion } from '../interrupts/handling.ts';
import type { CommandReply, SaidCommand } from './command.ts';

const PAUSES: Record<string, Pause | null> = {
  'an hour': 'hour',
  '1 hour': 'hour',
  tomorrow: 'tomorrow',
  monday: 'next-week',
  'next week': 'next-week',
  off: null,
};

const usage = (text: string): CommandReply => ({ text, isMeant: false });

/**
 * The member meant by a name, a first name or an e-mail; the speaker by "me", nobody by "nobody".
 * @throws AppError not_available where none or several are meant
 */
async function findAssignee({ who }: SaidCommand, interruptId: number, name: string): Promise<number | null> {
  const wanted = name.toLowerCase();
  if (wanted === 'nobody') return null;
  if (wanted === 'me') return who.userId;
  const found = (await listAssignees(who, interruptId)).filter((member) =>
    [memberName(member), member.user.firstName, member.user.email].some((one) => one?.toLowerCase() === wanted),
  );
  const [only] = found;
  if (found.length === 1 && only) return only.userId;
  const text =
    found.length > 1
      ? `Several people who may answer this question are called “${name}”. Use an e-mail address.`
      : `Nobody who may answer this question is called “${name}”.`;
  throw new AppError('not_available', { text });
}

/** "assign 34 to Ben Roe" */
export async function assign(said: SaidCommand): Promise<CommandReply> {
  const [, number, name] = /^(\d{1,9})\s+(?:to\s+)?(\S.*)$/i.exec(said.rest) ?? [];
  if (!number || !name)
    return usage(
      `Say which question and who answers it: ${said.write('assign 34 to Ben Roe')}, or “to me”, “to nobody”.`,
    );
  const id = Number(number);
  const userId = await findAssignee(said, id, name.replace(/[.!]$/, '').trim());
  const { assignee } = await assignQuestion(said.who, id, userId, wordsSurfaceOf(said.address.channel));
  return {
    text: assignee ? `Question ${id} is assigned to ${assignee.name}.` : `Question ${id} is assigned to nobody.`,
    isMeant: true,
  };
}

/** "snooze 34 until tomorrow" */
export async function snooze(said: SaidCommand): Promise<CommandReply> {
  const [, number, until = ''] = /^(\d{1,9})\s+(?:until\s+|for\s+)?(\S.*)$/i.exec(said.rest) ?? [];
  const pause = ownEntry(PAUSES, until.replace(/[.!]$/, '').trim().toLowerCase());
  if (!number || pause === undefined)
    return usage(
      `Say which question and until when: ${said.write('snooze 34 until tomorrow')}, “until Monday”, “for an hour”, or “off”.`,
    );
  const id = Number(number);
  const row = await snoozeQuestion(said.who, id, pause, wordsSurfaceOf(said.address.channel));
  if (!row.snooze) return { text: `Question ${id} is no longer put off.`, isMeant: true };
  const when = momentText(row.snooze.until, await readTimeZone(said.who.accountId));
  return { text: `Question ${id} is put off until ${when}. Nobody is reminded of it before.`, isMeant: true };
}

/** "comment 34 Please check the dose first." */
export async function comment(said: SaidCommand): Promise<CommandReply> {
  const [, number, text] = /^(\d{1,9})\s*:?\s+(\S[\s\S]*)$/.exec(said.rest) ?? [];
  if (!number || !text)
    return usage(`Say which question and what: ${said.write('comment 34 Please check the dose first')}.`);
  const id = Number(number);
  await commentOnQuestion(said.who, id, text, wordsSurfaceOf(said.address.channel));
  return { text: `Your comment stands with question ${id}.`, isMeant: true };
}

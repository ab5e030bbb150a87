/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { openConversation } from '../../../bot/engine/conversations/conversations.ts';
import { linkToReview } from '../../../bot/engine/delivery/consent.ts';
import { remindOfQuestions } from '../../../bot/engine/notices/reminders.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Message } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';
import { makeMailedCompany, subjectsTo } from '../../factories/mailed.ts';
import { auditOf } from '../../factories/members.ts';
import { type Server, startServer } from '../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** 4 January 2027 is a Monday. */
const at = (time: string) => new Date(`2027-01-${time}:00Z`);
const REMINDED = 'Clara still waits for an answer';
const ESCALATED = 'Clara still waits, and nobody has answered';

async function ask(change: Partial<InterruptRow> = {}, times: Parameters<typeof makeMailedCompany>[0] = {}) {
  const company = await makeMailedCompany(times);
  const { accountId } = company;
  const conversation = await runInAccount(accountId, () =>
    openConversation(accountId, { channel: 'arc', conversation: `c${accountId}`, thread: null }),
  );
  const row = await company.question({ createdAt: at('04T10:00'), conversationId: conversation._id, ...change });
  return {
    ...company,
    row,
    /** Runs the job in two processes at a time. @returns the texts said in the conversation so far */
    async run(time: string): Promise<string[]> {
      await Promise.all([remindOfQuestions(at(time)), remindOfQuestions(at(time))]);
      await company.sent();
      const messages = await runInAccount(accountId, () => Message.find({ accountId }).sort({ _id: 1 }).lean());
      return messages.map(({ text }) => text);
    },
    remindAt: async () =>
      (await runInAccount(accountId, () => Interrupt.findOne({ _id: row._id }).lean()))?.remindAt?.toISOString(),
    reminders: async () => (await runInAccount(accountId, () => Interrupt.findOne({ _id: row._id }).lean()))?.reminders,
  };
}

describe('a question that waits', () => {
  test('is brought to mind after eight working hours, then to the deputy after twenty-four, each once', async () => {
    const { run, row, accountId, member, remindAt, reminders, rows } = await ask();
    const stranger = await (await makeMailedCompany()).member(['owner', 'deputy']);
    const [owner, approver, silent, deputy, plain] = [
      await member(['owner']),
      await member(['approver'], 'daily'),
      await member(['approver'], 'never'),
      await member(['deputy']),
      await member(['member']),
    ];
    const got = () => [owner, approver, silent, deputy, plain].map(({ email }) => subjectsTo(email));
    // Eight of the usual hours, 09:00 to 17:30, end on Tuesday at 09:30.
    expect(await run('05T09:29')).toEqual([]);
    expect(await remindAt()).toBe('2027-01-05T09:30:00.000Z');
    const reminder = `Question ${row._id} still waits for an answer: ${linkToReview(row._id)}`;
    expect(await run('05T09:30')).toEqual([reminder]);
    expect(got()).toEqual([[REMINDED], [REMINDED], [], [REMINDED], []]);
    expect(await run('05T12:00')).toEqual([reminder]);
    expect(await remindAt()).toBe('2027-01-06T17:00:00.000Z');
    expect(await reminders()).toBe(1);
    const escalated = `Question ${row._id} has not been answered in time. The deputy has been asked too.`;
    expect(await run('06T17:00')).toEqual([reminder, escalated]);
    expect(got()).toEqual([[REMINDED], [REMINDED], [], [REMINDED, ESCALATED], []]);
    expect(await run('20T17:00')).toEqual([reminder, escalated]);
    expect(await reminders()).toBe(2);
    expect((await rows()).map(({ mail }) => mail?.userId)).not.toContain(stranger.userId);
    expect(await auditOf(accountId)).toEqual([
      `interrupt.reminded by schedule: interrupt:${row._id} after 8 working hours`,
      `interrupt.escalated by schedule: interrupt:${row._id} to user:${deputy.userId}`,
    ]);
  });

  test('is brought to the deputy in the chat that the deputy uses, too', async () => {
    const { run, row, accountId, member } = await ask();
    const { userId } = await member(['deputy']);
    const platformId = `U${userId}`;
    await runInAccount(accountId, async () => {
      const chat = await openConversation(accountId, { channel: 'slack', conversation: `D${userId}`, thread: null });
      await Conversation.updateOne({ _id: chat._id }, { $set: { direct: true } });
      await ChannelIdentity.create({
        _id: new Types.ObjectId(),
        accountId,
        channel: 'slack',
        platformId,
        userId,
        stranger: false,
      } as never);
      const turn = { accountId, channel: 'slack', eventId: platformId, speaker: { platformId }, text: 'help' };
      await Turn.create({ ...turn, _id: new Types.ObjectId(), conversationId: chat._id, status: 'done' } as never);
    });
    await run('05T09:30');
    expect((await run('06T17:00')).at(-1)).toBe(
      `Question ${row._id} still waits, and the people who were asked first have not answered. You can answer it: ${linkToReview(row._id)}`,
    );
    expect(await run('07T17:00')).toHaveLength(3);
  });

  test('for the officer is more urgent', async () => {
    const { run, member, accountId, row } = await ask({ requires: 'clinical-safety-officer' });
    const [approver, officer, deputy] = [
      await member(['approver']),
      await member(['clinical-safety-officer']),
      await member(['deputy']),
    ];
    expect(await run('04T13:59')).toEqual([]);
    expect(await run('04T14:00')).toHaveLength(1);
    expect(await run('05T09:29')).toHaveLength(1);
    expect(await run('05T09:30')).toHaveLength(2);
    expect([approver, officer, deputy].map(({ email }) => subjectsTo(email))).toEqual([
      [],
      [REMINDED],
      [REMINDED, ESCALATED],
    ]);
    expect((await auditOf(accountId)).at(-1)).toContain(`interrupt:${row._id} to user:${deputy.userId}`);
  });

  test('without a deputy goes to the owner, unless only the officer may answer', async () => {
    const open = await ask();
    const owner = await open.member(['owner']);
    await open.run('05T09:30');
    expect((await open.run('06T17:00')).at(-1)).toContain('There is no deputy to ask');
    expect(subjectsTo(owner.email)).toEqual([REMINDED, ESCALATED]);

    const clinical = await ask({ requires: 'clinical-safety-officer' });
    const [other, officer] = [await clinical.member(['owner']), await clinical.member(['clinical-safety-officer'])];
    await clinical.run('04T14:00');
    await clinical.run('05T09:30');
    expect(subjectsTo(other.email)).toEqual([]);
    expect(subjectsTo(officer.email)).toEqual([REMINDED]);
    expect((await auditOf(clinical.accountId)).at(-1)).toMatch(/to nobody$/);
  });

  test('is left alone once it is answered', async () => {
    const { run, row, settle, accountId, member } = await ask();
    const { email } = await member(['owner']);
    await run('05T09:29');
    await settle(row);
    expect(await run('06T17:00')).toEqual([]);
    expect(subjectsTo(email)).toEqual([]);
    expect(await auditOf(accountId)).toEqual([]);
  });

  test('is brought to mind by the company’s working hours, and after its quiet hours', async () => {
    const workingHours = { days: [1, 2], from: '09:00', to: '11:00' };
    const { run, remindAt } = await ask(
      { requires: 'clinical-safety-officer' },
      { workingHours, quietHours: { from: '10:00', to: '12:00' } },
    );
    // Two hours a day on Mondays and Tuesdays: the fourth ends on the next Monday at 10:00.
    await run('05T12:00');
    expect(await remindAt()).toBe('2027-01-11T10:00:00.000Z');
    expect(await run('11T10:00')).toEqual([]);
    expect(await remindAt()).toBe('2027-01-11T12:00:00.000Z');
    expect(await run('11T12:00')).toHaveLength(1);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { viewInterrupt } from '../../bot/engine/delivery/viewInterrupt.ts';
import { commentOnQuestion, snoozeQuestion } from '../../bot/engine/interrupts/handling.ts';
import { mailDigests } from '../../bot/engine/notices/digests.ts';
import { remindOfQuestions } from '../../bot/engine/notices/reminders.ts';
import { viewWithoutRows } from '../../bot/engine/questions/kinds/index.ts';
import { CHANNEL_COMMANDS } from '../../bot/engine/turns/channelCommands.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { nextId } from '../../models/counter.ts';
import { Delivery } from '../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { Member, type Role } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { addColleague } from '../factories/colleague.ts';
import { makeInterrupt } from '../factories/interrupt.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { codeOf, makeWho } from '../factories/who.ts';

let server: Server;
let owner: Person;
let approver: Person;
let member: Person;
beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server);
  approver = await addColleague(server, owner, ['approver']);
  member = await addColleague(server, owner, ['member']);
});
afterAll(() => server.stop());

const inAccount = <T>(work: () => Promise<T>) => runInAccount(owner.user.accountId, work);
let id: number;
beforeEach(async () => {
  id = await ask();
});
async function ask(change: Partial<InterruptRow> = {}): Promise<number> {
  const _id = await nextId('interrupt');
  const { accountId } = owner.user;
  const row = makeInterrupt({ _id, accountId, runId: new Types.ObjectId(), askKey: `${_id}`, ...change });
  await inAccount(() => Interrupt.create(row));
  return _id;
}
const rowOf = async (of = id) => requireRow(await inAccount(() => Interrupt.findOne({ _id: of }).lean()));
const assign = (by: Person, userId: number | null, of = id) =>
  by.browser.put(`/api/interrupts/${of}/assignee`).send({ userId });
const snooze = (by: Person, pause: string | null, of = id) =>
  by.browser.put(`/api/interrupts/${of}/snooze`).send({ pause });
const comment = (by: Person, text: string, of = id) => by.browser.post(`/api/interrupts/${of}/comments`).send({ text });
const close = (of = id) => owner.browser.patch(`/api/interrupts/${of}/resolve`).send({ approved: true }).expect(200);
const eventsOf = async () => {
  const rows = await inAccount(() =>
    AuditEvent.find({ subject: `interrupt:${id}` })
      .sort({ seq: 1 })
      .lean(),
  );
  return rows.map(({ event, surface, userId, outcome }) => [event, surface, userId, outcome]);
};
const mailsOf = async () => {
  const rows = await inAccount(() => Delivery.find({ 'mail.facts.interruptId': id }).lean());
  return rows.map(({ mail }) => [mail?.userId, mail?.facts.occasion]);
};

/** @shows PUT /api/interrupts/:id/assignee, GET /api/interrupts/:id/assignees */
describe('a question is assigned', () => {
  test('to somebody who may answer it, who is mailed; others may still answer', async () => {
    const able = await owner.browser.get(`/api/interrupts/${id}/assignees`).expect(200);
    expect(able.body.members.map(({ userId }: { userId: number }) => userId)).toEqual([
      owner.user.id,
      approver.user.id,
    ]);
    const { body } = await assign(owner, approver.user.id).expect(200);
    expect(body.assignee).toMatchObject({ userId: approver.user.id });
    expect(await mailsOf()).toEqual([[approver.user.id, 'assigned']]);
    expect(await eventsOf()).toEqual([['interrupt.assigned', 'inbox', owner.user.id, `to user:${approver.user.id}`]]);
    await close();
    expect((await owner.browser.get(`/api/interrupts/${id}`)).body.assignee).toBeUndefined();
  });

  test('not to somebody who may not answer it, and not by them', async () => {
    expect((await assign(owner, member.user.id)).body.fields).toEqual({
      userId: 'Choose a member who may answer this question.',
    });
    expect((await assign(member, approver.user.id)).body.code).toBe('not_allowed');
    expect((await rowOf()).assignee).toBeNull();
  });

  test('its candidates are listed for nobody who may not assign it', async () => {
    const list = async (by: Person, of: number) => {
      const { status, body } = await by.browser.get(`/api/interrupts/${of}/assignees`);
      return [status, body.code, body.members?.length];
    };
    expect(await list(member, id)).toEqual([403, 'not_allowed', undefined]);
    expect(await list(approver, id)).toEqual([200, undefined, 2]);
    // An approver without a register's number may not answer what needs the officer, so may not assign it either.
    const clinical = await ask({ requires: 'clinical-safety-officer' });
    expect(await list(approver, clinical)).toEqual([403, 'not_allowed', undefined]);
    expect(await list(owner, clinical)).toEqual([200, undefined, 1]);
  });

  test('to nobody again, and to oneself without a mail', async () => {
    await assign(approver, approver.user.id).expect(200);
    expect(await mailsOf()).toEqual([]);
    expect((await assign(owner, null).expect(200)).body.assignee).toBeUndefined();
  });
});

/** @shows PUT /api/interrupts/:id/snooze */
describe('a question is put off', () => {
  test('until an hour has passed, or it is brought back, by those who may answer it', async () => {
    const before = Date.now();
    const { body } = await snooze(approver, 'hour').expect(200);
    const until = new Date(body.snooze.until).getTime();
    expect(until - before).toBeGreaterThanOrEqual(3_600_000);
    expect(until - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((await snooze(member, null)).body.code).toBe('not_allowed');
    expect((await snooze(owner, null).expect(200)).body.snooze).toBeUndefined();
    expect((await eventsOf()).map(([event, , , outcome]) => [event, outcome])).toEqual([
      ['interrupt.snoozed', `until ${body.snooze.until}`],
      ['interrupt.snoozed', 'ended'],
    ]);
  });

  test('nobody is reminded before, and it is brought up then, also where it was escalated already', async () => {
    const now = new Date('2026-11-25T10:00:00Z');
    const { accountId } = owner.user;
    const who = makeWho({ accountId, userId: owner.user.id, roles: ['owner'] as Role[] });
    await inAccount(() => Interrupt.updateOne({ _id: id }, { $set: { createdAt: new Date('2026-11-20T10:00:00Z') } }));
    await inAccount(() => snoozeQuestion(who, id, 'tomorrow', 'inbox', now));
    expect((await rowOf()).snooze?.until.toISOString()).toBe('2026-11-26T09:00:00.000Z');
    const remindAt = async (at: string) => {
      await remindOfQuestions(new Date(at));
      return (await eventsOf()).filter(([event]) => event === 'interrupt.reminded').length;
    };
    expect([await remindAt('2026-11-26T08:59:59Z'), await remindAt('2026-11-26T09:00:01Z')]).toEqual([0, 1]);
    await inAccount(() => snoozeQuestion(who, id, 'hour', 'inbox', new Date('2026-11-26T10:00:00Z')));
    await assign(owner, approver.user.id).expect(200);
    expect([await remindAt('2026-11-26T10:59:00Z'), await remindAt('2026-11-26T11:00:01Z')]).toEqual([1, 2]);
    expect(
      (await eventsOf()).filter(([event]) => event === 'interrupt.reminded').map(([, , , outcome]) => outcome),
    ).toEqual(Array(2).fill('at the end of a pause'));
    // The first reminder went to everybody who may answer, the second to whom it is assigned; both are mails of their own.
    const reminded = (await mailsOf()).filter(([, occasion]) => occasion === 'reminded');
    expect(reminded).toEqual([
      [owner.user.id, 'reminded'],
      [approver.user.id, 'reminded'],
      [approver.user.id, 'reminded'],
    ]);
    // Its time to escalation counts from the end of the pause: twenty-four working hours.
    const escalated = async (at: string) => {
      await remindOfQuestions(new Date(at));
      return (await eventsOf()).some(([event]) => event === 'interrupt.escalated');
    };
    expect([await escalated('2026-12-01T09:29:00Z'), await escalated('2026-12-01T09:30:01Z')]).toEqual([false, true]);
  });

  test('it is in no digest meanwhile, and one assigned to another is in the other’s alone', async () => {
    const [here, later] = [await ask(), await ask()];
    await snooze(owner, 'next-week', later).expect(200);
    await assign(owner, owner.user.id, here).expect(200);
    await inAccount(() =>
      Member.updateMany({ accountId: owner.user.accountId }, { $set: { mailedTo: null, questionMail: 'hourly' } }),
    );
    await mailDigests(new Date(Date.now() + 3_600_000));
    const digests = await inAccount(() => Delivery.find({ 'mail.name': 'digest' }).lean());
    const listed = (userId: number) =>
      digests.flatMap(({ mail }) => (mail?.userId === userId ? (mail.facts.interruptIds as number[]) : []));
    expect(listed(owner.user.id)).toContain(here);
    expect(listed(approver.user.id)).toContain(id);
    expect(listed(approver.user.id)).not.toContain(here);
    for (const person of [owner, approver]) expect(listed(person.user.id)).not.toContain(later);
    // Somebody who may no longer answer it has it no longer alone.
    await assign(owner, approver.user.id, here).expect(200);
    await inAccount(() => Member.updateOne({ userId: approver.user.id }, { $set: { roles: ['member'] } }));
    await inAccount(() => Delivery.deleteMany({ 'mail.name': 'digest' }));
    await inAccount(() => Member.updateMany({}, { $set: { mailedTo: null } }));
    await mailDigests(new Date(Date.now() + 7_200_000));
    const anew = await inAccount(() => Delivery.find({ 'mail.name': 'digest', 'mail.userId': owner.user.id }).lean());
    await inAccount(() => Member.updateOne({ userId: approver.user.id }, { $set: { roles: ['approver'] } }));
    expect(anew.flatMap(({ mail }) => mail?.facts.interruptIds as number[])).toContain(here);
  });
});

/** @shows POST /api/interrupts/:id/comments */
describe('a question is commented on', () => {
  test('by every member, and says who and when; the words are not in the audit', async () => {
    await comment(member, ' Check the dose first. ').expect(200);
    const { body } = await comment(owner, 'Done.').expect(200);
    expect(body.comments.map(({ text, via }: { text: string; via: string }) => [text, via])).toEqual([
      ['Check the dose first.', 'inbox'],
      ['Done.', 'inbox'],
    ]);
    expect(JSON.stringify(await eventsOf())).not.toContain('dose');
    await close();
    expect((await member.browser.get(`/api/interrupts/${id}`)).body.comments).toHaveLength(2);
  });

  test('not by a program', async () => {
    const { accountId, id: userId } = owner.user;
    const who = makeWho({ accountId, userId, roles: ['owner'] as Role[], isProgram: true });
    expect(await codeOf(inAccount(() => commentOnQuestion(who, id, 'Hi', 'api')))).toBe('not_allowed');
  });

  test('at most fifty times, and never with nothing', async () => {
    const comments = Array.from({ length: 49 }, (_, at) => ({
      ...{ id: `${at}`, userId: 1, name: 'Bo', via: 'inbox' as const, at: new Date(), text: 'x' },
    }));
    await inAccount(() => Interrupt.updateOne({ _id: id }, { $set: { comments } }));
    expect((await comment(owner, '  ')).body.fields).toEqual({ text: 'Write what you want to say.' });
    await comment(owner, 'The fiftieth').expect(200);
    expect((await comment(owner, 'One more')).body.fields).toEqual({ text: 'A question has at most 50 comments.' });
  });
});

test('a closed question, and one of another company, is not handled', async () => {
  await close();
  for (const answer of [assign(owner, null), snooze(owner, 'hour'), comment(owner, 'Late')])
    expect((await answer).body).toMatchObject({ code: 'not_available', error: `Question ${id} is closed.` });
  const stranger = await signUp(server);
  const open = await ask();
  for (const answer of [assign(stranger, null, open), snooze(stranger, 'hour', open), comment(stranger, 'Hi', open)])
    expect((await answer).status).toBe(404);
  expect((await stranger.browser.get(`/api/interrupts/${open}/assignees`)).status).toBe(404);
});

describe('in the channels', () => {
  const command = async (
    name: 'assign' | 'snooze' | 'comment',
    rest: string,
    by = owner,
    roles: Role[] = ['owner'],
  ) => {
    const { accountId, id: userId } = by.user;
    const who = makeWho({ accountId, userId, name: 'Ada Okafor', roles });
    return inAccount(() =>
      CHANNEL_COMMANDS[name]({
        ...{ who, rest, address: { channel: 'slack', installation: 'T1', conversation: 'C1', thread: null } as never },
        ...{ write: (word: string) => `/arc ${word}`, answerAt: '' },
      }),
    );
  };

  test('a question is assigned by name, first name, e-mail, “me” and “nobody”', async () => {
    const [, one] = (await owner.browser.get(`/api/interrupts/${id}/assignees`)).body.members;
    for (const name of [one.name, approver.email]) {
      expect((await command('assign', `${id} to ${name}`)).text).toBe(`Question ${id} is assigned to ${one.name}.`);
      expect((await command('assign', `${id} nobody`)).text).toBe(`Question ${id} is assigned to nobody.`);
    }
    await command('assign', `${id} to me.`);
    expect((await rowOf()).assignee?.userId).toBe(owner.user.id);
    await expect(command('assign', `${id} to Zoe`)).rejects.toMatchObject({
      message: 'Nobody who may answer this question is called “Zoe”.',
    });
    await expect(command('assign', `${id} to me`, member, ['member'])).rejects.toMatchObject({ code: 'not_allowed' });
    expect((await eventsOf()).map(([, surface]) => surface)).toEqual(Array(5).fill('slack'));
  });

  test('a question is put off and commented on in words', async () => {
    expect((await command('snooze', `${id} until tomorrow`)).text).toMatch(
      /^Question \d+ is put off until \w{3},? \d+ \w{3}, 09:00\. Nobody is reminded of it before\.$/,
    );
    expect((await command('snooze', `${id} off`)).text).toBe(`Question ${id} is no longer put off.`);
    expect((await command('comment', `${id}: Please check\nthe dose.`)).text).toBe(
      `Your comment stands with question ${id}.`,
    );
    expect((await rowOf()).comments?.map(({ text, via }) => [text, via])).toEqual([
      ['Please check\nthe dose.', 'slack'],
    ]);
  });

  test.each([
    ['assign', 'the work to Ben'],
    ['snooze', 'for a while'],
    ['snooze', '34 until the cows come home'],
    ['snooze', '34 constructor'],
    ['comment', 'on the hazard log'],
  ] as const)('“%s %s” is no command, and says how it is written', async (name, rest) => {
    const { isMeant, text } = await command(name, rest);
    expect([isMeant, text.includes(`/arc ${name} 34`)]).toEqual([false, true]);
  });

  test('its card says who is to answer, until when it is put off, and the last comments, by consent', async () => {
    await assign(owner, approver.user.id);
    await snooze(owner, 'tomorrow');
    for (const text of ['one', 'two', 'three', 'four']) await comment(owner, text);
    const question = viewInterrupt(await rowOf(), null, 'UTC');
    const sections = (mode: 'full' | 'redacted') =>
      viewWithoutRows(question, mode)
        .sections.slice(-2)
        .map(({ text, heading, items, more }) => [text ?? heading, items.map((item) => item.text), more]);
    expect(sections('full')).toEqual([
      [expect.stringMatching(/^Assigned to .+\. Put off until .+, 09:00 by Ada Okafor\.$/), [], 0],
      ['Comments', ['two', 'three', 'four'], 1],
    ]);
    expect(sections('redacted')[1]).toEqual(['4 comments, in Arc', [], 0]);
  });
});

test('a waiting question counts for those who may answer it; everybody sees that the agent waits', async () => {
  const { browser, user } = await signUp(server);
  const hired = (await browser.post('/api/user-agents/hire').send({ agentId: 'clinical_safety' }).expect(200)).body;
  const company = { browser, user, email: '', password: '', cookie: '' };
  const [reader, approves] = [
    await addColleague(server, company, ['member']),
    await addColleague(server, company, ['approver']),
  ];
  const { accountId } = user;
  for (const requires of [null, 'clinical-safety-officer'] as const) {
    const _id = await nextId('interrupt');
    const row = makeInterrupt({ _id, accountId, runId: new Types.ObjectId(), askKey: `${_id}`, requires });
    await runInAccount(accountId, () => Interrupt.create({ ...row, userAgentId: hired.id }));
  }
  const counts = async (by: Person['browser']) => {
    const [agent] = (await by.get('/api/user-agents').expect(200)).body;
    return [agent.pendingInterrupts, agent.waitingForYou];
  };
  expect([await counts(browser), await counts(approves.browser), await counts(reader.browser)]).toEqual([
    [2, 2],
    [2, 1],
    [2, 0],
  ]);
});

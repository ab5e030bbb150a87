/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { mailMember } from '../../../bot/engine/delivery/deliverMail.ts';
import { prepareQuestion } from '../../../bot/engine/delivery/deliverQuestion.ts';
import { sweepDeliveries } from '../../../bot/engine/delivery/sweepDeliveries.ts';
import { changePreferences, readPreferences } from '../../../bot/engine/preferences/preferences.ts';
import { Delivery } from '../../../models/delivery.ts';
import { baseUrl } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { User } from '../../../models/user.ts';
import { smtp } from '../../environments/mail.ts';
import { makeMailedCompany, subjectsTo } from '../../factories/mailed.ts';
import { eventually } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { makeWho } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Quiet hours that hold now, or that do not. */
const around = (fromHour: number, toHour: number) => {
  const clock = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 13)}:00`;
  return { timeZone: 'UTC', quietHours: { from: clock(fromHour), to: clock(toHour) } };
};

describe('a question that is mailed at once', () => {
  test('goes to those who may answer and want it so, once, without its content', async () => {
    const company = await makeMailedCompany();
    const approver = await company.member(['member', 'approver'], 'at-once');
    const others = [
      await company.member(['member'], 'at-once'),
      await company.member(['approver'], 'hourly'),
      await company.member(['approver'], 'never'),
      await company.member(['approver']),
      await company.member(['approver'], 'at-once', { emailVerified: false }),
      await (await makeMailedCompany()).member(['owner'], 'at-once'),
    ];
    const row = await company.question({ prompt: 'Is the dose of Mrs Doe right?' });
    await runInAccount(company.accountId, async () => {
      await Promise.all([prepareQuestion(row, null), prepareQuestion(row, null)]);
    });
    await company.sent();
    await sweepDeliveries();
    expect(subjectsTo(approver.email)).toEqual(['Clara has a question for you']);
    expect(others.flatMap(({ email }) => subjectsTo(email))).toEqual([]);
    const { text = '', html = '' } = smtp.mails.findLast(({ to }) => to === approver.email) ?? {};
    expect(text).toContain(`Clara: Approval (question ${row._id}), since `);
    expect(text).toContain(`${baseUrl()}/agent-inbox?interrupt=${row._id}`);
    expect(text).toContain('you can answer questions of Quillmere');
    expect(text + html).not.toContain('Doe');
  });

  test('that needs the officer goes to the officer and the deputy', async () => {
    const company = await makeMailedCompany();
    const [owner, approver, officer, deputy] = [
      await company.member(['owner'], 'at-once'),
      await company.member(['approver'], 'at-once'),
      await company.member(['clinical-safety-officer'], 'at-once'),
      await company.member(['deputy'], 'at-once'),
    ];
    const row = await company.question({ requires: 'clinical-safety-officer' });
    await runInAccount(company.accountId, () => prepareQuestion(row, null));
    await company.sent();
    const got = [owner, approver, officer, deputy].map(({ email }) => subjectsTo(email).length);
    expect(got).toEqual([0, 0, 1, 1]);
  });

  test('waits for the end of the quiet hours, and is dropped if it is answered by then', async () => {
    const company = await makeMailedCompany(around(-1, 2));
    const { email } = await company.member(['owner'], 'at-once');
    const [one, other] = [await company.question(), await company.question()];
    await runInAccount(company.accountId, async () => {
      for (const row of [one, other]) await prepareQuestion(row, null);
    });
    const end = `${company.accountId && around(-1, 2).quietHours.to}`;
    expect((await company.rows()).map(({ dueAt }) => dueAt.toISOString().slice(11, 16))).toEqual([end, end]);
    await sweepDeliveries();
    expect(subjectsTo(email)).toEqual([]);
    await company.settle(one);
    await company.makeDue();
    await sweepDeliveries();
    expect(subjectsTo(email)).toEqual(['Clara has a question for you']);
    expect((await company.rows()).map(({ status, reference }) => [status, reference])).toEqual([
      ['sent', { skipped: true }],
      ['sent', null],
    ]);
  });
});

describe('a stored mail', () => {
  test('is sent once by the sweeper where the process ended before it was sent', async () => {
    const company = await makeMailedCompany();
    const { userId, email } = await company.member(['owner'], 'at-once');
    const row = await company.question();
    const { accountId } = company;
    const key = `mail:question:${row._id}:asked:${userId}`;
    await runInAccount(accountId, () =>
      Delivery.create({
        _id: new Types.ObjectId(),
        accountId,
        surface: 'mail',
        key,
        mail: { userId, name: 'question', facts: { interruptId: row._id, occasion: 'asked' } },
        status: 'due',
        dueAt: new Date(0),
      } as never),
    );
    await runInAccount(accountId, () => prepareQuestion(row, null));
    await Promise.all([sweepDeliveries(), sweepDeliveries()]);
    await company.sent();
    expect(subjectsTo(email)).toHaveLength(1);
  });

  test('is tried again while the server is busy, and stops where it refuses the address for good', async () => {
    const company = await makeMailedCompany();
    const [busy, refused] = [
      await company.member(['owner'], 'at-once', { email: `a${company.accountId}@451.rcpt.example` }),
      await company.member(['approver'], 'at-once', { email: `a${company.accountId}@550.rcpt.example` }),
    ];
    const ask = async () => {
      const row = await company.question();
      await runInAccount(company.accountId, () => prepareQuestion(row, null));
      const isTried = ({ attempts, status }: { attempts: number; status: string }) => attempts > 0 || status !== 'due';
      await eventually(async () => (await company.rows()).every(isTried), 'each mail to be tried');
    };
    await ask();
    const rows = await company.rows();
    const of = (userId: number) => rows.find(({ mail }) => mail?.userId === userId);
    expect(of(busy.userId)).toMatchObject({ status: 'due', attempts: 1 });
    expect(of(refused.userId)).toMatchObject({ status: 'failed', error: 'The mail server refused the address.' });
    expect((await User.findById(busy.userId).lean())?.mailRefusedAt).toBeNull();
    expect((await User.findById(refused.userId).lean())?.mailRefusedAt).toBeInstanceOf(Date);

    // From then on nothing is tried, until the person chooses anew.
    await ask();
    const later = (await company.rows()).filter(({ mail }) => mail?.userId === refused.userId);
    expect(later.map(({ status }) => status)).toEqual(['failed', 'sent']);
    const who = makeWho({ userId: refused.userId, accountId: company.accountId, roles: ['approver'] });
    await runInAccount(company.accountId, async () => {
      expect(await readPreferences(who)).toMatchObject({ mailRefused: true, questionMail: 'at-once' });
      expect(await changePreferences(who, { questionMail: 'daily' })).toMatchObject({
        mailRefused: false,
        questionMail: 'daily',
      });
    });
  });

  test('is not sent to somebody who has left', async () => {
    const company = await makeMailedCompany(around(-1, 2));
    const { userId, email } = await company.member(['owner'], 'at-once');
    const row = await company.question();
    await runInAccount(company.accountId, () => prepareQuestion(row, null));
    await Member.deleteOne({ userId });
    await company.makeDue();
    await sweepDeliveries();
    expect(subjectsTo(email)).toEqual([]);
  });
});

/** @shows POST /unsubscribe/:token */
test('mails on questions are stopped by the link in one, by a press or by a mail program, for that company alone', async () => {
  const [company, other] = [await makeMailedCompany(), await makeMailedCompany()];
  const { userId, email } = await company.member(['owner'], 'at-once');
  await Member.create({ accountId: other.accountId, userId, roles: ['owner'], questionMail: 'at-once' });
  const { accountId } = company;
  const row = await company.question();
  await runInAccount(accountId, () => prepareQuestion(row, null));
  await company.sent();
  const { headers, text } = smtp.mails.findLast(({ to }) => to === email) ?? {};
  const address = /^<(.*)>$/.exec(headers?.['list-unsubscribe'] ?? '')?.[1] ?? '';
  expect(headers?.['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  expect(text).toContain(`Stop these mails: ${address}`);
  const path = address.slice(baseUrl().length);
  const choice = async (of = accountId) => (await Member.findOne({ accountId: of, userId }).lean())?.questionMail;
  const post = (to: string) => server.browser().post(to).type('form').send('List-Unsubscribe=One-Click');

  // Link scanners open it.
  await server.browser().get(path);
  expect(await choice()).toBe('at-once');
  const [, account = '', user = '', signature = ''] = /unsubscribe\/(\d+)\.(\d+)\.([\w-]+)$/.exec(path) ?? [];
  for (const forged of [
    `${other.accountId}.${user}.${signature}`,
    `${account}.${Number(user) + 1}.${signature}`,
    `${account}.${user}.${signature.slice(0, -1)}`,
    `${account}.${user}`,
    'nothing',
  ])
    await post(`/unsubscribe/${forged}`).expect(404);
  expect(await choice()).toBe('at-once');
  const { body } = await post(path).expect(200);
  expect(body).toEqual({ success: true, companyName: 'Quillmere' });
  expect([await choice(), await choice(other.accountId)]).toEqual(['never', 'at-once']);
  await post(path).expect(200);

  const next = await company.question();
  await runInAccount(accountId, () => prepareQuestion(next, null));
  expect(subjectsTo(email)).toHaveLength(1);
});

test('a mail of one company has an id of its own', async () => {
  const [one, other] = [await makeMailedCompany(), await makeMailedCompany()];
  const ids = new Set<string | undefined>();
  for (const company of [one, other]) {
    const { userId, email } = await company.member(['owner']);
    const row = await company.question();
    const { accountId } = company;
    await runInAccount(accountId, () =>
      mailMember({ accountId, userId }, 'same', 'question', { interruptId: row._id, occasion: 'reminded' }),
    );
    await company.sent();
    const mail = smtp.mails.findLast(({ to }) => to === email);
    expect(mail?.subject).toBe('Clara still waits for an answer');
    ids.add(mail?.headers['message-id']);
  }
  expect(ids.size).toBe(2);
});

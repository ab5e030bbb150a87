/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openConversation } from '../../../bot/engine/conversations/conversations.ts';
import { mailPlanEnds } from '../../../bot/engine/notices/planEnds.ts';
import { warnOfLowCredit } from '../../../bot/engine/workflows/lowCredit.ts';
import { ledger } from '../../../models/ledgerEntry.ts';
import { Message } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { smtp } from '../../environments/mail.ts';
import { makeMailedCompany, subjectsTo } from '../../factories/mailed.ts';
import { type Server, startServer } from '../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const at = (time: string) => new Date(`2027-01-${time}:00Z`);

describe('the end of a trial or a plan', () => {
  async function endOf(change: Partial<SubscriptionRow>) {
    const company = await makeMailedCompany();
    const { accountId } = company;
    await runInAccount(accountId, () =>
      Subscription.create({ _id: accountId, accountId, plan: 'trial', status: 'trial', ...change } as never),
    );
    const owner = await company.member(['owner']);
    const member = await company.member(['member', 'approver']);
    return async (time: string) => {
      await Promise.all([mailPlanEnds(at(time)), mailPlanEnds(at(time))]);
      await company.sent();
      expect(subjectsTo(member.email)).toEqual([]);
      expect((await company.rows()).filter(({ mail }) => mail?.userId !== owner.userId)).toEqual([]);
      return subjectsTo(owner.email);
    };
  }
  const SOON = 'The trial of Quillmere ends on 10 Jan 2027';
  const OVER = 'The trial of Quillmere has ended';

  test('is mailed to the owners three days before and once it has come, each once', async () => {
    const mails = await endOf({ trialEndsAt: at('10T12:00') });
    expect(await mails('07T11:59')).toEqual([]);
    expect(await mails('07T12:00')).toEqual([SOON]);
    expect(await mails('10T11:59')).toEqual([SOON]);
    expect(await mails('10T12:00')).toEqual([SOON, OVER]);
    expect(await mails('11T12:00')).toEqual([SOON, OVER]);
    expect(smtp.mails.at(-1)?.text).toContain('You can still read and download everything');
  });

  test('of a plan is that of the plan, and a plan without an end has none', async () => {
    const plan = { plan: 'pro', status: 'active', trialEndsAt: at('07T12:00') } as const;
    const ends = await endOf({ ...plan, planEndsAt: at('20T12:00') });
    expect(await ends('07T12:00')).toEqual([]);
    expect(await ends('18T12:00')).toEqual(['The plan of Quillmere ends on 20 Jan 2027']);
    expect(await (await endOf({ ...plan, planEndsAt: null }))('07T12:00')).toEqual([]);
  });

  test('is not mailed while a plan is paid for', async () => {
    const paid = { plan: 'pro', status: 'active', endsAt: at('08T12:00') } as NonNullable<SubscriptionRow['paid']>;
    const mails = await endOf({ trialEndsAt: at('10T12:00'), paid });
    expect(await mails('08T11:59')).toEqual([]);
    expect(await mails('08T12:00')).toEqual([SOON]);
  });

  test('that is long over is not told any more', async () => {
    const mails = await endOf({ trialEndsAt: at('10T12:00') });
    expect(await mails('12T12:00')).toEqual([]);
  });
});

test('few credits are said in the conversation and mailed to the owners, once until more are added', async () => {
  const company = await makeMailedCompany();
  const { accountId } = company;
  const [owner, member] = [await company.member(['owner']), await company.member(['approver'])];
  const conversation = await runInAccount(accountId, () =>
    openConversation(accountId, { channel: 'arc', conversation: `c${accountId}`, thread: null }),
  );
  const move = (amount: number, key: string) =>
    runInAccount(accountId, () =>
      ledger.append(accountId, { key, kind: amount > 0 ? 'grant' : 'settle', amount, note: 'test' }),
    );
  const warn = async () => {
    await runInAccount(accountId, async () => {
      const placed = { run: { accountId }, conversation } as never;
      await Promise.all([warnOfLowCredit(placed), warnOfLowCredit(placed)]);
    });
    await company.sent();
    const said = await runInAccount(accountId, () => Message.find({ accountId }).sort({ _id: 1 }).lean());
    return { said: said.map(({ text }) => text), mailed: subjectsTo(owner.email) };
  };
  await move(1000, 'one');
  expect(await warn()).toEqual({ said: [], mailed: [] });
  await move(-1, 'two');
  const first = {
    said: ['999 credits are left. The account owner can add more under Billing.'],
    mailed: ['Quillmere has 999 credits left'],
  };
  expect(await warn()).toEqual(first);
  await move(-100, 'three');
  expect(await warn()).toEqual(first);
  await move(100, 'four');
  expect(await warn()).toEqual(first);
  await move(1, 'five');
  await move(-500, 'six');
  const second = await warn();
  expect([second.said.length, second.mailed]).toEqual([2, [...first.mailed, 'Quillmere has 500 credits left']]);
  expect(subjectsTo(member.email)).toEqual([]);
});

/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { readWithin, setBudget } from '../../../bot/engine/accounts/budgets.ts';
import { readUse, writeUse } from '../../../bot/engine/accounts/creditUse.ts';
import {
  grantCredits,
  readBalance,
  requireBudget,
  reserveCredits,
  settleCredits,
} from '../../../bot/engine/credits/credits.ts';
import { Account } from '../../../models/account.ts';
import { AuditEvent } from '../../../models/auditEvent.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { addMember } from '../../factories/members.ts';

connectTestStore();

let who: Who;
beforeEach(async () => {
  who = await addMember({ name: 'Ada Okafor', roles: ['owner'] });
  await Account.create({ _id: who.accountId, name: 'Quillmere', timeZone: 'Pacific/Auckland' });
  await inAccount(async () => {
    for (const agentId of ['mdr', 'ops'] as const)
      await UserAgent.create({ _id: nextNumber(), accountId: who.accountId, userId: 1, agentId, status: 'onboarded' });
    await grantCredits(who.accountId, 10_000, 'gift', '=A gift');
  });
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const NOVEMBER = new Date('2026-11-30T10:30:00Z');
/** Half an hour later, which is December in Auckland. */
const DECEMBER = new Date('2026-11-30T11:00:00Z');
const charge = async (runId: string, agentId = 'mdr', now = NOVEMBER, userId: number | null = who.userId) => ({
  ...{ accountId: who.accountId, runId, agentId, channel: 'slack', userId },
  within: await readWithin(who.accountId, agentId, now),
});
const reserve = (runId: string, amount: number, agentId?: string, now?: Date) =>
  inAccount(async () => reserveCredits(await charge(runId, agentId, now), amount, 'Work'));
const usedBy = async (now?: Date) =>
  Object.fromEntries(
    (await inAccount(() => readUse(who.accountId, '30', now))).budgets.map((one) => [one.agentId, one.usedThisMonth]),
  );

describe('an agent’s budget of the month', () => {
  beforeEach(() => inAccount(() => setBudget(who, 'mdr', 100)));

  test('covers work up to its last credit, and no more; other agents are not limited by it', async () => {
    await reserve('one', 60);
    await reserve('two', 40);
    await expect(reserve('three', 1)).rejects.toMatchObject({
      code: 'over_budget',
      message: expect.stringContaining('100 of 100 credits are used and 1 are needed'),
    });
    await reserve('four', 500, 'ops');
    expect(await usedBy(NOVEMBER)).toEqual({ mdr: 100, ops: 500 });
    expect((await inAccount(() => readBalance(who.accountId))).tokensRemaining).toBe(10_000 - 600);
  });

  test('is checked before anything is withdrawn or begun, too', async () => {
    await reserve('one', 60);
    const check = (needed: number) =>
      inAccount(async () =>
        codeOf(requireBudget(who.accountId, 'mdr', await readWithin(who.accountId, 'mdr', NOVEMBER), needed)),
      );
    expect([await check(40), await check(41)]).toEqual(['done', 'over_budget']);
  });

  test('can’t be passed by reservations at the same moment', async () => {
    const codes = await Promise.all(['a', 'b', 'c', 'd'].map((run) => codeOf(reserve(run, 30))));
    expect(codes.sort()).toEqual(['done', 'done', 'done', 'over_budget']);
  });

  test('gets back what work did not use, and begins anew with the month of the company', async () => {
    await reserve('one', 100);
    await inAccount(async () => settleCredits(await charge('one'), 100, 30, 'Work'));
    expect(await usedBy(NOVEMBER)).toEqual({ mdr: 30, ops: 0 });
    await reserve('two', 70);
    expect(await codeOf(reserve('three', 1))).toBe('over_budget');
    await reserve('three', 100, 'mdr', DECEMBER);
    expect([await usedBy(NOVEMBER), await usedBy(DECEMBER)]).toEqual([
      { mdr: 0, ops: 0 },
      { mdr: 100, ops: 0 },
    ]);
    // The refund of November’s work adds nothing to December.
    await inAccount(async () => settleCredits(await charge('two', 'ops', DECEMBER), 70, 0, 'Work'));
    expect(await usedBy(DECEMBER)).toEqual({ mdr: 100, ops: 0 });
  });

  test('is the owner’s to change, for agents of the company, and in the audit', async () => {
    const member: Who = { ...who, roles: ['member', 'approver', 'deputy'] };
    expect(await codeOf(inAccount(() => setBudget(member, 'mdr', 5)))).toBe('not_allowed');
    expect(await codeOf(inAccount(() => setBudget(who, 'designer', 5)))).toBe('not_found');
    await inAccount(() => setBudget(who, 'ops', 7));
    await inAccount(() => setBudget(who, 'mdr', null));
    await reserve('one', 101);
    expect(await codeOf(reserve('two', 8, 'ops'))).toBe('over_budget');
    const rows = await inAccount(() => AuditEvent.find({ event: 'budget.changed' }).sort({ seq: 1 }).lean());
    expect(rows.map(({ subject, outcome }) => [subject, outcome])).toEqual([
      ['agent:mdr', '100'],
      ['agent:ops', '7'],
      ['agent:mdr', 'none'],
    ]);
  });
});

describe('the use of credits', () => {
  const work = async (
    runId: string,
    amount: number,
    cost: number,
    change: { agentId?: string; userId?: null; model?: string },
  ) =>
    inAccount(async () => {
      const it = await charge(runId, change.agentId, new Date(), change.userId === null ? null : who.userId);
      await reserveCredits(it, amount, 'Work');
      await settleCredits(it, amount, cost, 'Work', change.model ?? null);
    });

  test('is counted by agent, person, channel and model, the most used first', async () => {
    await work('one', 10, 10, {});
    await work('two', 10, 300, { model: 'gpt-5' });
    await work('three', 50, 20, { agentId: 'ops', userId: null });
    // A model whose answer cost what was reserved.
    await work('four', 40, 40, { model: 'gpt-5' });
    const { by } = await inAccount(() => readUse(who.accountId, '30'));
    const short = (list: (typeof by)['agent']) => list.map(({ name, used, runs }) => [name, used, runs]);
    expect(short(by.agent)).toEqual([
      ['Marta', 350, 3],
      ['Opal', 20, 1],
    ]);
    expect(short(by.person)).toEqual([
      ['Ada Okafor', 350, 3],
      ['Schedules', 20, 1],
    ]);
    expect(short(by.channel)).toEqual([['Slack', 370, 4]]);
    expect(short(by.model)).toEqual([
      ['gpt-5', 340, 2],
      ['Built-in engine', 30, 2],
    ]);
  });

  test('leaves out what is older than the period, and other companies', async () => {
    await work('one', 10, 10, {});
    const later = (days: number) => new Date(Date.now() + days * 86_400_000);
    const runsAt = async (days: '30' | '90', at: Date) =>
      (await inAccount(() => readUse(who.accountId, days, at))).by.agent.map(({ runs }) => runs);
    expect([await runsAt('30', later(29)), await runsAt('30', later(31)), await runsAt('90', later(31))]).toEqual([
      [1],
      [],
      [1],
    ]);
    const other = await addMember();
    expect((await runInAccount(other.accountId, () => readUse(other.accountId, '30'))).by.agent).toEqual([]);
  });

  test('is a CSV of every movement, in the company’s time, safe to open', async () => {
    await work('one', 10, 300, { model: 'gpt-5' });
    await inAccount(() =>
      LedgerEntry.collection.updateMany({ accountId: who.accountId }, { $set: { createdAt: NOVEMBER } } as never),
    );
    const text = await inAccount(() => writeUse(who.accountId, '30', DECEMBER));
    expect(text.split('\r\n')).toEqual([
      '\uFEFFWhen,What,Agent,Person,Channel,Model,Credits,Balance after',
      "2026-11-30 23:30,'=A gift,,,,,10000,10000",
      '2026-11-30 23:30,Work,Marta,Ada Okafor,Slack,,-10,9990',
      '2026-11-30 23:30,Work,Marta,Ada Okafor,Slack,gpt-5,-290,9700',
      '',
    ]);
  });

  test('is read in parts, each row once', async () => {
    const [first] = await inAccount(() => LedgerEntry.find({}).lean());
    const rows = Array.from({ length: 2001 }, (_, at) => ({
      ...{ ...first, _id: new Types.ObjectId(), seq: at + 2, key: `k${at}`, kind: 'reserve', amount: -1 },
      ...{ runId: `r${at % 2}`, agentId: 'ops' },
    }));
    await LedgerEntry.collection.insertMany(rows as never[]);
    const { by } = await inAccount(() => readUse(who.accountId, '30'));
    expect(by.agent).toEqual([{ id: 'ops', name: 'Opal', used: 2001, runs: 2 }]);
  });
});

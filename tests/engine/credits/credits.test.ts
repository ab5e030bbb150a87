/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readBillingSummary, usagePerDay } from '../../../bot/engine/accounts/readSummary.ts';
import {
  grantCredits,
  grantSignUpCredits,
  readBalance,
  readReserved,
  requireCredit,
  reserveCredits,
  settleCredits,
} from '../../../bot/engine/credits/credits.ts';
import { PLANS } from '../../../models/contracts/billing.ts';
import { LedgerEntry, type LedgerEntryRow } from '../../../models/ledgerEntry.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Subscription } from '../../../models/subscription.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { asInPreparation } from '../../factories/asInPreparation.ts';

connectTestStore();

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const charge = (runId: string) => ({ accountId, runId, agentId: 'clinical_safety', channel: 'slack' });
const entries = async () =>
  (await LedgerEntry.find({ accountId }).sort({ seq: 1 }).lean()).map(({ kind, amount, balanceAfter, usedAfter }) => [
    kind,
    amount,
    balanceAfter,
    usedAfter,
  ]);
const DAY = 86_400_000;

describe('credits', () => {
  test('are granted once per key, reserved, and settled by what the work cost', () =>
    inAccount(async () => {
      expect(await readBalance(accountId)).toEqual({ tokensRemaining: 0, tokensUsed: 0 });
      for (const _again of [0, 1]) {
        await grantSignUpCredits(accountId);
        await grantCredits(accountId, 100, 'gift', 'A gift');
        await reserveCredits(charge('one'), 60, 'Analysis');
        await settleCredits(charge('one'), 60, 45, 'Analysis');
        await settleCredits(charge('two'), 10, 10, 'Nothing to settle');
        await settleCredits(charge('three'), 0, 5, 'Beyond');
      }
      expect(await entries()).toEqual([
        ['grant', 50_000, 50_000, 0],
        ['grant', 100, 50_100, 0],
        ['reserve', -60, 50_040, 60],
        ['settle', 15, 50_055, 45],
        ['settle', -5, 50_050, 50],
      ]);
      expect(await readBalance(accountId)).toEqual({ tokensRemaining: 50_050, tokensUsed: 50 });
      expect(await LedgerEntry.findOne({ kind: 'reserve' }).lean()).toMatchObject({
        key: 'run:one:reserve',
        runId: 'one',
        agentId: 'clinical_safety',
        channel: 'slack',
        note: 'Analysis',
      });
    }));

  test('can be used to the last one, and are reserved for one run of one account', () =>
    inAccount(async () => {
      await grantCredits(accountId, 10, 'gift', 'A gift');
      await requireCredit(accountId, 10);
      await expect(requireCredit(accountId, 11)).rejects.toMatchObject({
        code: 'out_of_credit',
        values: { remaining: 10, needed: 11 },
      });
      await reserveCredits(charge('one'), 10, 'Analysis');
      await expect(reserveCredits(charge('two'), 1, 'Analysis')).rejects.toMatchObject({ code: 'out_of_credit' });
      expect([await readReserved(charge('one')), await readReserved(charge('two'))]).toEqual([10, 0]);
      const other = { ...charge('one'), accountId: accountId + 1000 };
      expect(await runInAccount(other.accountId, () => readReserved(other))).toBe(0);
    }));

  test('are reserved again for a purpose, once, and only where they suffice', () =>
    inAccount(async () => {
      await grantCredits(accountId, 30, 'gift', 'A gift');
      await reserveCredits(charge('one'), 10, 'Analysis');
      await reserveCredits(charge('one2'), 1, 'Analysis');
      expect(await reserveCredits(charge('one'), 19, 'Choosing', 'choosing')).toMatchObject({ amount: -19 });
      expect(await reserveCredits(charge('one'), 5, 'Choosing', 'choosing')).toMatchObject({ amount: -19 });
      expect(await readReserved(charge('one'))).toBe(29);
      expect(await readReserved(charge('one'), 'choosing')).toBe(19);
      expect(await readReserved(charge('two'), 'choosing')).toBe(0);
      await expect(reserveCredits(charge('one'), 1, 'Choosing', 'more')).rejects.toMatchObject({
        code: 'out_of_credit',
      });
    }));
});

describe('daily use', () => {
  const row = (kind: LedgerEntryRow['kind'], amount: number, at: string) =>
    ({ kind, amount, createdAt: new Date(at) }) as LedgerEntryRow;

  test('is what was reserved less what was returned, for thirty days in the company’s time zone', () => {
    const now = new Date('2026-03-31T22:30:00Z');
    const rows = [
      row('grant', 1000, '2026-03-30T12:00:00Z'),
      row('reserve', -60, '2026-03-30T12:00:00Z'),
      row('settle', 15, '2026-03-30T13:00:00Z'),
      // Half past eleven in the evening in London, where summer time began on the 29th.
      row('reserve', -7, '2026-03-30T22:30:00Z'),
      row('reserve', -9, '2026-03-30T23:30:00Z'),
      row('settle', 20, '2026-03-15T12:00:00Z'),
      row('reserve', -5, '2026-03-02T00:00:00Z'),
      row('reserve', -3, '2026-03-01T23:59:00Z'),
    ];
    const days = usagePerDay(rows, 'Europe/London', now);
    expect(days).toHaveLength(30);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-03-02', '2026-03-31']);
    expect(days.filter(({ used }) => used !== 0)).toEqual([
      { day: '2026-03-02', used: 5 },
      { day: '2026-03-30', used: 52 },
      { day: '2026-03-31', used: 9 },
    ]);
    expect(usagePerDay(rows, 'Asia/Tokyo', now).at(-1)?.day).toBe('2026-04-01');
  });
});

describe('the credit summary', () => {
  test('has the plan, the agents, thirty days of use and the last twenty entries, newest first', () =>
    inAccount(async () => {
      const now = new Date('2026-06-30T12:00:00Z');
      const trialEndsAt = new Date(now.getTime() + 5 * DAY);
      const entry = (seq: number, daysAgo: number) => ({
        accountId,
        seq,
        key: `k${seq}`,
        kind: 'reserve',
        amount: -seq,
        balanceAfter: 1000 - seq,
        usedAfter: 0,
        note: `n${seq}`,
        agentId: 'mdr',
        channel: 'arc',
        createdAt: new Date(now.getTime() - daysAgo * DAY),
      });
      const summary = () => asInPreparation('outreach', () => readBillingSummary(accountId, now));
      expect(await summary()).toMatchObject({
        plan: 'trial',
        trialEndsAt: now.toISOString(),
        agents: { hired: 0 },
        movements: [],
      });
      await Subscription.create({ _id: accountId, accountId, plan: 'trial', trialEndsAt } as never);
      // An agent whose work is in preparation takes no place of the plan.
      for (const [at, agentId] of (['clinical_safety', 'outreach'] as const).entries())
        await UserAgent.create({ _id: accountId * 10 + at, accountId, userId: 1, agentId, status: 'hired', tools: [] });
      await LedgerEntry.insertMany([entry(1, 40), entry(2, 30), entry(3, 2)]);
      const few = await summary();
      expect(few).toMatchObject({ trialEndsAt: trialEndsAt.toISOString(), agents: { hired: 1 } });
      // Entries older than thirty days do not count as use, but are listed.
      expect(few.movements.map(({ note }) => note)).toEqual(['n3', 'n2', 'n1']);
      expect(few.movements[0]).toEqual({
        at: new Date(now.getTime() - 2 * DAY).toISOString(),
        note: 'n3',
        agentId: 'mdr',
        channel: 'arc',
        amount: -3,
        balanceAfter: 997,
      });
      expect(few.usage.reduce((sum, { used }) => sum + used, 0)).toBe(3);
      await Subscription.updateOne({ accountId }, { $set: { plan: 'starter' } });
      const allowed = PLANS.find(({ id }) => id === 'starter')?.agents;
      expect(await summary()).toMatchObject({ plan: 'starter', agents: { hired: 1, allowed } });
      expect(allowed).toBeGreaterThan(0);
      await LedgerEntry.insertMany(Array.from({ length: 20 }, (_, index) => entry(4 + index, 1)));
      const { movements } = await summary();
      expect(movements.map(({ note }) => note)).toEqual(Array.from({ length: 20 }, (_, index) => `n${23 - index}`));
    }));
});

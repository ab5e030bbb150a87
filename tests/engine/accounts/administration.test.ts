/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { addTokens, readUserStatistics, readUserTokens } from '../../../bot/engine/accounts/adminFigures.ts';
import { endOfDay } from '../../../bot/engine/accounts/calendar.ts';
import { grantAllPlanCredits, grantPlanCredits } from '../../../bot/engine/accounts/planCredits.ts';
import { setPlan } from '../../../bot/engine/accounts/setPlan.ts';
import { readBalance } from '../../../bot/engine/credits/credits.ts';
import { Account } from '../../../models/account.ts';
import { stampText } from '../../../models/contracts/zonedText.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { addMember, addUser, auditOf, collectChanges, join } from '../../factories/members.ts';

connectTestStore();
const heard = collectChanges();

const DAY = 86_400_000;
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const subscribe = (accountId: number, change: Partial<SubscriptionRow>) =>
  runInAccount(accountId, () =>
    Subscription.create({ _id: accountId, accountId, plan: 'pro', status: 'active', trialEndsAt: at(1), ...change }),
  );
const subscriptionOf = (accountId: number) => runInAccount(accountId, () => Subscription.findOne({}).lean());

// Administrators see every account, so these tests need a store that nobody else uses.
beforeEach(async () => {
  for (const model of [User, Member, Subscription, LedgerEntry, UserAgent, IntegrationSetting])
    await model.collection.deleteMany({});
});

describe('the list of users for administrators', () => {
  const read = (change: Partial<Parameters<typeof readUserStatistics>[0]> = {}) =>
    readUserStatistics({ page: 1, sort: 'joined', direction: 'ascending', ...change });
  const emails = async (change: Partial<Parameters<typeof readUserStatistics>[0]>) =>
    (await read(change)).users.map(({ email }) => email);

  test('is searched by the words of name and email, and its sums stay those of everybody', async () => {
    await addUser({ email: 'ada@a.example', firstName: 'Ada', lastName: 'Okafor', createdAt: at(1) });
    await addUser({ email: 'ben@a.example', firstName: 'Ben', lastName: 'Okafor', createdAt: at(2) });
    await addUser({ email: 'cara@b.example', firstName: null, createdAt: at(3) });
    expect(await emails({ search: 'OKAFOR' })).toEqual(['ada@a.example', 'ben@a.example']);
    expect(await emails({ search: 'ben okafor' })).toEqual(['ben@a.example']);
    expect(await emails({ search: 'a.example', sort: 'agents' })).toHaveLength(2);
    expect(await read({ search: 'cara' })).toMatchObject({ total: 1, totals: { users: 3 } });
    expect(await read({ search: 'nobody' })).toMatchObject({ total: 0, users: [], totals: { users: 3 } });
  });

  test('includes the activity of each user’s account', async () => {
    const [first, second] = [nextNumber(), nextNumber()];
    const ada = await addUser({ email: 'ada@a.example', lastName: 'Okafor', createdAt: at(2), isAdmin: true });
    const ben = await addUser({ email: 'ben@a.example', firstName: null, createdAt: at(1) });
    const cara = await addUser({ email: 'cara@b.example', createdAt: at(3) });
    const dan = await addUser({ email: 'dan@nowhere.example', createdAt: at(4) });
    await join(ada, first, ['owner'], { createdAt: at(1) });
    await join(ben, first, ['member'], { createdAt: at(5) });
    await join(cara, second, ['owner'], { createdAt: at(2) });
    // A user's account is the one they have belonged to longest.
    await join(ada, second, ['member'], { createdAt: at(6) });
    await join(cara, first, ['member'], { createdAt: at(7) });
    await subscribe(first, { plan: 'starter' });
    await subscribe(second, { plan: 'enterprise', planEndsAt: inDays(1) });
    const hire = (accountId: number, agentId: 'mdr' | 'ops') =>
      runInAccount(accountId, () => UserAgent.create({ _id: nextNumber(), accountId, agentId, userId: 1 } as never));
    await hire(first, 'mdr');
    await hire(first, 'ops');
    await hire(second, 'mdr');
    const integrate = (accountId: number, integrationId: string, enabled: boolean) =>
      runInAccount(accountId, () => IntegrationSetting.create({ accountId, integrationId, enabled }));
    await integrate(first, 'slack', true);
    await integrate(second, 'slack', true);
    await integrate(second, 'teams', true);
    await integrate(second, 'arc-chat', true);
    await integrate(second, 'sandbox', false);
    const row = (user: typeof ada, more: object) => ({
      id: user._id,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      createdAt: user.createdAt.toISOString(),
      isAdmin: false,
      ...more,
    });
    expect(await read()).toEqual({
      users: [
        row(ben, { agentCount: 2, integrationCount: 1, billingStatus: 'pro' }),
        row(ada, { agentCount: 2, integrationCount: 1, billingStatus: 'pro', isAdmin: true }),
        row(cara, { agentCount: 1, integrationCount: 3, billingStatus: 'premium' }),
        row(dan, { agentCount: 0, integrationCount: 0, billingStatus: 'free' }),
      ],
      total: 4,
      paged: false,
      totals: { users: 4, agents: 3, integrations: 4, admins: 1 },
    });
    const names = ['ada', 'ben', 'cara', 'dan'];
    const order = async (sort: 'joined' | 'email' | 'agents', direction: 'ascending' | 'descending') =>
      (await emails({ sort, direction })).map((email) => names.indexOf(email.split('@')[0] as string));
    expect(await order('joined', 'descending')).toEqual([3, 2, 0, 1]);
    expect(await order('email', 'ascending')).toEqual([0, 1, 2, 3]);
    expect(await order('email', 'descending')).toEqual([3, 2, 1, 0]);
    // Users with the same number of agents are ordered by id.
    expect(await order('agents', 'ascending')).toEqual([3, 2, 0, 1]);
    expect(await order('agents', 'descending')).toEqual([1, 0, 2, 3]);
  });

  test.each([
    ['pro', 'active', null, 'pro'],
    ['starter', 'active', 1, 'pro'],
    ['enterprise', 'active', null, 'premium'],
    ['enterprise', 'active', -1, 'free'],
    ['pro', 'active', -1, 'free'],
    ['trial', 'trial', null, 'free'],
    ['pro', 'expired', null, 'free'],
  ] as const)('shows the plan %s, %s, that ends in %s days with the badge %s', async (plan, status, days, badge) => {
    const { accountId } = await addMember();
    await subscribe(accountId, { plan, status, planEndsAt: days === null ? null : inDays(days) });
    expect((await read()).users[0]?.billingStatus).toBe(badge);
  });

  test('orders users who joined at the same moment by id', async () => {
    const ids = [nextNumber(), nextNumber()];
    for (const _id of ids.toReversed()) await addUser({ _id, createdAt: at(1) });
    expect((await read()).users.map(({ id }) => id)).toEqual(ids);
    expect((await read({ direction: 'descending' })).users.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('has up to a thousand users on one page, and otherwise twenty per page', async () => {
    const fill = (from: number, to: number) =>
      User.collection.insertMany(
        Array.from({ length: to - from }, (_, at_) => ({
          _id: from + at_ + 1,
          email: `${String(from + at_ + 1).padStart(4, '0')}@example.org`,
          firstName: null,
          lastName: null,
          isAdmin: false,
          createdAt: at(1),
        })) as never[],
      );
    await fill(0, 1000);
    for (const sort of ['joined', 'agents'] as const)
      expect(await read({ sort, page: 2 })).toMatchObject({ total: 1000, paged: false, users: { length: 1000 } });
    await fill(1000, 1001);
    for (const sort of ['joined', 'agents'] as const) {
      const ids = async (page: number) => (await read({ sort, page })).users.map(({ id }) => id);
      expect(await ids(1)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(await ids(2)).toEqual(Array.from({ length: 20 }, (_, index) => index + 21));
      expect(await ids(51)).toEqual([1001]);
    }
    expect(await read()).toMatchObject({ total: 1001, paged: true });
  });
});

describe('credits in the administration', () => {
  const enter = (accountId: number, seq: number, balanceAfter: number, usedAfter: number) => ({
    _id: new Types.ObjectId(),
    accountId,
    seq,
    key: String(seq),
    balanceAfter,
    usedAfter,
  });

  test('are summed once per account, over every account', async () => {
    const [first, second] = [nextNumber(), nextNumber()];
    const [ada, ben, cara, dan] = [await addUser(), await addUser(), await addUser(), await addUser()];
    await join(ada, first, ['owner'], { createdAt: at(1) });
    await join(ada, second, ['member'], { createdAt: at(2) });
    await join(ben, first);
    await join(cara, second);
    await LedgerEntry.collection.insertMany([
      enter(first, 1, 50_000, 0),
      enter(first, 2, 49_990, 10),
      enter(second, 1, 700, 300),
    ] as never[]);
    const row = ({ _id, email }: typeof ada, tokensUsed: number, tokensRemaining: number) => ({
      id: _id,
      email,
      tokensUsed,
      tokensRemaining,
    });
    expect(await readUserTokens()).toEqual({
      users: [row(ada, 10, 49_990), row(ben, 10, 49_990), row(cara, 300, 700), row(dan, 0, 0)],
      totals: { tokensUsed: 310, tokensRemaining: 50_690 },
    });
  });

  test('are read of every account, however many there are', async () => {
    const numbers = Array.from({ length: 120 }, () => nextNumber());
    await User.collection.insertMany(numbers.map((_id) => ({ _id, email: `${_id}@example.org` })) as never[]);
    await Member.collection.insertMany(numbers.map((userId) => ({ userId, accountId: userId, createdAt: at(1) })));
    await LedgerEntry.collection.insertMany(numbers.map((accountId) => enter(accountId, 1, 2, 1)) as never[]);
    const { users, totals } = await readUserTokens();
    expect(totals).toEqual({ tokensUsed: 120, tokensRemaining: 240 });
    expect(users.every(({ tokensUsed }) => tokensUsed === 1)).toBe(true);
  });

  test('are granted to the account that a user has belonged to longest, once per request', async () => {
    const accountId = nextNumber();
    const who = await addUser();
    const userId = who._id;
    await join(who, nextNumber(), ['owner'], { createdAt: at(2) });
    await join(who, accountId, ['member'], { createdAt: at(1) });
    for (const _again of [0, 1])
      expect(await addTokens(userId, 12_500, 'one', { userId: 99 })).toBe(
        `Added 12,500 tokens to ${who.email}. 12,500 remain.`,
      );
    await expect(addTokens(userId, 9, 'one', { userId: 99 })).rejects.toMatchObject({
      code: 'grant_repeated',
      message: expect.stringMatching(/^This request has added 12,500 credits already, so nothing was added now\./),
    });
    expect(await addTokens(userId, 1, 'two', { userId: 99 })).toContain('12,501 remain.');
    expect(await runInAccount(accountId, () => readBalance(accountId))).toEqual({
      tokensRemaining: 12_501,
      tokensUsed: 0,
    });
    expect(await runInAccount(accountId, () => LedgerEntry.findOne({}).lean())).toMatchObject({
      key: 'admin:one',
      kind: 'grant',
      note: 'Added by an administrator',
    });
    expect(await auditOf(accountId)).toEqual([
      `credits.granted by 99: account:${accountId} 12500`,
      `credits.granted by 99: account:${accountId} 1`,
    ]);
    expect(heard).toContain(`${accountId} account`);
  });

  test('are not granted to an unknown user or one without an account', async () => {
    const { _id } = await addUser();
    const ghost = nextNumber();
    await join({ _id: ghost }, nextNumber());
    for (const id of [_id, ghost, nextNumber()]) {
      expect(await codeOf(addTokens(id, 1, 'one', { userId: 99 }))).toBe('not_found');
      expect(await codeOf(setPlan(id, 'pro', undefined, { userId: 99, key: 'k' }))).toBe('not_found');
    }
    expect(await LedgerEntry.collection.countDocuments({})).toBe(0);
  });
});

describe('a plan set by an administrator', () => {
  const day = (days: number) => inDays(days).toISOString().slice(0, 10);
  let key = 0;
  const set = (
    userId: number,
    plan: Parameters<typeof setPlan>[1],
    until?: string,
    by: number | null = 99,
  ): Promise<string> => {
    key += 1;
    return setPlan(userId, plan, until, { userId: by, key: String(key) } as never);
  };

  test('applies to the account that the user owns, or else has belonged to longest', async () => {
    const who = await addMember({ roles: ['member'] });
    const [own, later] = [nextNumber(), nextNumber()];
    await join({ _id: who.userId }, later, ['member'], { createdAt: inDays(1) });
    expect(await set(who.userId, 'pro')).toBe(`${who.email} now has the plan pro.`);
    expect(await subscriptionOf(who.accountId)).toMatchObject({ _id: who.accountId, plan: 'pro', status: 'active' });
    expect(heard).toEqual([`${who.accountId} account,automation`, `${who.accountId} account`]);
    await join({ _id: who.userId }, own, ['deputy', 'owner'], { createdAt: inDays(2) });
    await set(who.userId, 'enterprise');
    expect(await subscriptionOf(own)).toMatchObject({ plan: 'enterprise' });
    expect(await subscriptionOf(who.accountId)).toMatchObject({ plan: 'pro' });
    expect(await subscriptionOf(later)).toBeNull();
  });

  test('lasts until the end of its last day, which may be today, or has no end', async () => {
    const { userId, accountId, email } = await addMember();
    // The day of the company's zone, which may be another one than that of UTC.
    const today = stampText(new Date(), 'Europe/London').slice(0, 10);
    expect(await set(userId, 'starter', today)).toBe(`${email} now has the plan starter, until ${today}.`);
    expect((await subscriptionOf(accountId))?.planEndsAt).toEqual(endOfDay(today, 'Europe/London'));
    // Without an earlier trial, no trial days remain.
    expect((await subscriptionOf(accountId))?.trialEndsAt.getTime()).toBeLessThanOrEqual(Date.now());
    await set(userId, 'starter');
    expect((await subscriptionOf(accountId))?.planEndsAt).toBeNull();
    for (const until of [day(-1), '2027-13-01'])
      await expect(set(userId, 'pro', until)).rejects.toMatchObject({
        code: 'bad_request',
        fields: { until: 'Choose a day that is not in the past, e.g. 2027-03-31.' },
      });
    expect(await subscriptionOf(accountId)).toMatchObject({ plan: 'starter' });
  });

  test('ends with its last day in the company’s time zone', async () => {
    const { userId, accountId } = await addMember();
    await runInAccount(accountId, () => Account.create({ _id: accountId, name: 'Ward', timeZone: 'Asia/Tokyo' }));
    await set(userId, 'pro', '2031-03-31');
    expect((await subscriptionOf(accountId))?.planEndsAt).toEqual(new Date('2031-03-31T14:59:59.999Z'));
  });

  test('brings its credits once a month, and the difference after a change to a larger plan', async () => {
    const { userId, accountId } = await addMember();
    const grants = async () => {
      const rows = await runInAccount(accountId, () => LedgerEntry.find({ accountId }).sort({ seq: 1 }).lean());
      return rows.map(({ amount }) => amount);
    };
    await set(userId, 'starter');
    await set(userId, 'starter');
    await grantAllPlanCredits();
    expect(await grants()).toEqual([500_000]);
    await set(userId, 'pro');
    await set(userId, 'starter');
    expect(await grants()).toEqual([500_000, 1_500_000]);
    await grantPlanCredits(accountId, inDays(40));
    await set(userId, 'enterprise');
    await grantPlanCredits(accountId, inDays(80));
    expect(await grants()).toEqual([500_000, 1_500_000, 500_000]);
  });

  test('brings them with the month of the company’s time zone', async () => {
    const { userId, accountId } = await addMember();
    await runInAccount(accountId, () => Account.create({ _id: accountId, name: 'Ward', timeZone: 'Asia/Tokyo' }));
    await set(userId, 'starter');
    // The last minute of March in Tokyo, and the first of April, which is March in UTC.
    for (const time of ['2131-03-31T14:59:00Z', '2131-03-31T15:00:00Z'])
      await grantPlanCredits(accountId, new Date(time));
    const rows = await runInAccount(accountId, () => LedgerEntry.find({ accountId }).sort({ seq: 1 }).lean());
    expect(rows.map(({ key }) => key).slice(1)).toEqual(['plan:2131-03:starter', 'plan:2131-04:starter']);
  });

  test('keeps the remaining trial days', async () => {
    const { userId, accountId } = await addMember();
    await subscribe(accountId, { plan: 'trial', status: 'trial', trialEndsAt: at(9) });
    await set(userId, 'pro', day(3));
    expect(await subscriptionOf(accountId)).toMatchObject({ plan: 'pro', status: 'active', trialEndsAt: at(9) });
  });

  test('may be a trial, of the default length or until a given day', async () => {
    const { userId, accountId } = await addMember();
    await subscribe(accountId, { planEndsAt: inDays(9) });
    await set(userId, 'trial');
    const row = await subscriptionOf(accountId);
    expect(row).toMatchObject({ plan: 'trial', status: 'trial', planEndsAt: null });
    expect(Math.round(((row?.trialEndsAt.getTime() ?? 0) - Date.now()) / DAY)).toBe(14);
    await set(userId, 'trial', day(30));
    expect((await subscriptionOf(accountId))?.trialEndsAt).toEqual(endOfDay(day(30), 'Europe/London'));
  });

  test('is recorded in the audit trail before it applies, with the administrator or the command that set it', async () => {
    const { userId, accountId } = await addMember();
    await set(userId, 'pro');
    await set(userId, 'pro', day(1), null);
    expect(await auditOf(accountId)).toEqual([
      `plan.set by 99: account:${accountId} pro`,
      `plan.set by command: account:${accountId} pro until ${day(1)}`,
    ]);
    await setPlan(userId, 'pro', undefined, { userId: 98, key: 'same' });
    await setPlan(userId, 'pro', undefined, { userId: 98, key: 'same' });
    expect(await auditOf(accountId)).toHaveLength(3);
  });
});

/** @environment store */
import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { consumeCode, makeCode } from '../../../bot/engine/accounts/codes.ts';
import { identify } from '../../../bot/engine/accounts/identify.ts';
import { matchIdentity, type PlatformProfile } from '../../../bot/engine/accounts/matchIdentity.ts';
import {
  fitsPassword,
  hashPassword,
  requireStrongPassword,
  settingOf,
} from '../../../bot/engine/accounts/passwords.ts';
import { makeShortToken, readShortToken } from '../../../bot/engine/accounts/shortTokens.ts';
import { announceEndedTrials, readTrial, requireActivePlan } from '../../../bot/engine/accounts/trial.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { nextId } from '../../../models/counter.ts';
import { env } from '../../../models/env.ts';
import { Member, type Role } from '../../../models/member.ts';
import { loadSecrets } from '../../../models/secrets.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce, changes } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';
import { Verification } from '../../../models/verification.ts';
import { connectTestStore } from '../../factories/account.ts';

connectTestStore();
let accountId = 0;
beforeEach(async () => {
  accountId = await nextId('account');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const newEmail = () => `${randomUUID()}@example.org`;
async function addUser(change: object = {}, roles: Role[] = ['member'], of = accountId) {
  const user = { _id: await nextId('user'), email: newEmail(), emailVerified: true, firstName: 'Ada', ...change };
  await User.create(user as never);
  await Member.create({ accountId: of, userId: user._id, roles });
  return user;
}
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);

describe('a mailed code', () => {
  const spend = (email: string, code: string, purpose: 'reset' | 'signup' = 'reset') =>
    consumeCode(purpose as never, email, code).then(
      () => 'spent',
      (error) => error.code,
    );

  test('has six digits, works once, and only for its own purpose and address', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const code = await makeCode('reset' as never, email);
    expect(code).toMatch(/^\d{6}$/);
    await makeCode('reset' as never, other);
    expect(await spend(email, code, 'signup')).toBe('invalid_code');
    expect(await spend(email, code)).toBe('spent');
    expect(await spend(email, code)).toBe('invalid_code');
    expect(await Verification.countDocuments({ email: other })).toBe(1);
  });

  test('is replaced by the next one with fresh attempts, and holds the pending data', async () => {
    const email = newEmail();
    await makeCode('reset' as never, email);
    for (let time = 0; time < 5; time += 1) await spend(email, 'wrong');
    const pending = { firstName: 'Ada' } as never;
    const code = await makeCode('reset' as never, email, pending);
    expect((await consumeCode('reset' as never, email, code)).pending).toEqual(pending);
  });

  test('allows four wrong attempts before a right one, and expires after fifteen minutes', async () => {
    const email = newEmail();
    const code = await makeCode('reset' as never, email);
    for (let time = 0; time < 4; time += 1) expect(await spend(email, 'wrong')).toBe('invalid_code');
    expect(await spend(email, code)).toBe('spent');
    const again = await makeCode('reset' as never, email);
    for (let time = 0; time < 5; time += 1) await spend(email, 'wrong');
    expect(await spend(email, again)).toBe('invalid_code');
    const late = await makeCode('reset' as never, email);
    const row = await Verification.findOne({ email }).lean();
    expect(Math.round(((row?.expiresAt.getTime() ?? 0) - Date.now()) / 60_000)).toBe(15);
    await Verification.updateOne({ email }, { $set: { expiresAt: new Date() } });
    expect(await spend(email, late)).toBe('invalid_code');
  });
});

describe('a password', () => {
  const refusal = (password: string) =>
    requireStrongPassword(password).then(
      () => 'taken',
      (error) => error.fields.password,
    );

  test.each(['short1a', 'onlyletters', '12345678', 'PASSWORD1', '!!password1', 'password1!', '(password1)'])(
    '“%s” is refused',
    async (password) => {
      expect(await refusal(password)).toMatch(/weak|least|letter|characters/i);
    },
  );

  test('matches only its own hash, and no password matches a missing one', async () => {
    expect(await refusal('correct-horse-1')).toBe('taken');
    const hash = await hashPassword('correct-horse-1');
    expect(await fitsPassword(hash, 'correct-horse-1')).toBe(true);
    expect(await fitsPassword(hash, 'correct-horse-2')).toBe(false);
    expect(await fitsPassword(null, 'correct-horse-1')).toBe(false);
    expect(await fitsPassword('no hash', 'correct-horse-1')).toBe(false);
    await expect(hashPassword('password1')).rejects.toMatchObject({ code: 'bad_request' });
  });
});

test.each([
  [8, 1],
  [19_455, 1],
  [19_456, 2],
  [65_536, 2],
])('checking a password takes %d KiB and %d passes', (memoryCost, timeCost) => {
  // OWASP's second setting: 19 MiB, two passes, one lane.
  expect(settingOf(memoryCost)).toEqual({ memoryCost, timeCost, parallelism: 1 });
});

describe('a short-lived token', () => {
  const key = createHmac('sha256', loadSecrets().sessionSecret).update('arc:short').digest();
  const made = (payload: object, audience = 'arc:short', alg = 'HS256') =>
    new SignJWT(payload as never).setProtectedHeader({ alg }).setAudience(audience).setExpirationTime('5m').sign(key);

  test('identifies a member for ten minutes', async () => {
    const token = await makeShortToken({ userId: 7, accountId: 3 });
    const { exp = 0, iat = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(600);
    const read = await readShortToken(token);
    expect(read).toEqual({ userId: 7, accountId: 3, since: expect.any(Number) });
    expect(Math.abs((read?.since ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('for another audience, with missing claims or without a valid signature identifies nobody', async () => {
    const whole = { sub: '7', accountId: 3, since: 1 };
    expect(await readShortToken(await made(whole))).toEqual({ userId: 7, accountId: 3, since: 1 });
    for (const part of ['sub', 'accountId', 'since'])
      expect(await readShortToken(await made({ ...whole, [part]: undefined }))).toBeNull();
    expect(await readShortToken(await made(whole, 'arc:other'))).toBeNull();
    expect(await readShortToken(await made(whole, 'arc:short', 'HS512'))).toBeNull();
    expect(await readShortToken('x.y.z')).toBeNull();
  });
});

describe('a signed-in person', () => {
  test('is the member as they are now, in this account, with a session that has not ended', async () => {
    const user = await addUser({ sessionsValidFrom: new Date(1000) }, ['approver']);
    const who = await identify(user._id, accountId, 1000);
    expect(who).toMatchObject({
      userId: user._id,
      accountId,
      email: user.email,
      emailVerified: true,
      roles: ['approver'],
      hasOfficer: false,
      isAdmin: false,
    });
    expect(await identify(user._id, accountId, 999)).toBeNull();
    expect(await identify(user._id, accountId + 1000, 1000)).toBeNull();
    expect(await identify(user._id + 100_000, accountId, 1000)).toBeNull();
    await addUser({}, ['clinical-safety-officer']);
    await Member.updateOne({ accountId, userId: user._id }, { $set: { roles: ['owner'] } });
    announce(accountId + 1, ['account'], false);
    announce(accountId, ['chat'], false);
    // Cached until the account changes.
    expect((await identify(user._id, accountId, 1000))?.roles).toEqual(['approver']);
    announce(accountId, ['account'], false);
    expect(await identify(user._id, accountId, 1000)).toMatchObject({ roles: ['owner'], hasOfficer: true });
  });

  test('is an administrator by grant, or by a mailed code to an address listed as administrator', async () => {
    const isAdmin = async (change: object) => {
      const { _id, email } = await addUser(change);
      env.ADMIN_EMAILS.push(email);
      return (await identify(_id, accountId, Date.now()))?.isAdmin;
    };
    expect(await isAdmin({ verifiedBy: 'code' })).toBe(true);
    expect(await isAdmin({ verifiedBy: 'invitation' })).toBe(false);
    expect(await isAdmin({ verifiedBy: 'code', emailVerified: false })).toBe(false);
    const granted = await addUser({ isAdmin: true });
    expect((await identify(granted._id, accountId, Date.now()))?.isAdmin).toBe(true);
    const code = await addUser({ verifiedBy: 'code' });
    expect((await identify(code._id, accountId, Date.now()))?.isAdmin).toBe(false);
  });
});

describe('a platform’s user', () => {
  const platformId = () => `U${randomUUID()}`;
  const match = (id: string, profile: Partial<PlatformProfile>, admits: unknown = 'members') => {
    const asked = jest.fn(async () => ({ email: null, name: 'Somebody', stranger: false, ...profile }));
    return inAccount(() => matchIdentity({ accountId, admits } as never, 'slack', id, asked)).then((identity) => ({
      ...identity,
      asked: asked.mock.calls.length,
    }));
  };

  test('is the member with the same address, if it is verified on both sides', async () => {
    const user = await addUser();
    const found = await match(platformId(), { email: ` ${user.email.toUpperCase()} ` });
    expect(found).toMatchObject({ who: { userId: user._id }, mayAsk: true });
    expect(found.name).toContain('Ada');
    const unverified = await addUser({ emailVerified: false });
    const [elsewhere, nobody] = [await addUser({}, ['owner'], accountId + 1000), newEmail()];
    for (const profile of [
      { email: unverified.email },
      { email: elsewhere.email },
      { email: nobody },
      { email: null },
      { email: user.email, stranger: true },
    ])
      expect(await match(platformId(), profile)).toMatchObject({ who: null, mayAsk: false, name: 'Somebody' });
    const [theirs] = await inAccount(() => ChannelIdentity.find({ email: elsewhere.email }).lean());
    expect(theirs).toMatchObject({ userId: null });
  });

  test('may ask if the owner admits the whole workspace or their address, but never as a stranger', async () => {
    const email = newEmail();
    const mayAsk = async (profile: Partial<PlatformProfile>, admits: unknown) =>
      (await match(platformId(), profile, admits)).mayAsk;
    expect(await mayAsk({ email }, 'workspace')).toBe(true);
    expect(await mayAsk({}, 'workspace')).toBe(true);
    expect(await mayAsk({ email, stranger: true }, 'workspace')).toBe(false);
    expect(await mayAsk({ email }, [newEmail(), email])).toBe(true);
    expect(await mayAsk({ email, stranger: true }, [email])).toBe(false);
    expect(await mayAsk({ email }, [newEmail()])).toBe(false);
    expect(await mayAsk({}, [email])).toBe(false);
    expect(await mayAsk({ email }, 'members')).toBe(false);
  });

  test('is looked up on the platform at most every ten minutes, and is one row per account and channel', async () => {
    const [id, user] = [platformId(), await addUser()];
    expect((await match(id, { email: user.email })).asked).toBe(1);
    expect(await match(id, { name: 'Other' })).toMatchObject({ asked: 0, who: { userId: user._id } });
    const age = (minutes: number) =>
      inAccount(() =>
        ChannelIdentity.updateOne(
          { platformId: id },
          { $set: { refreshedAt: new Date(Date.now() - minutes * 60_000) } },
        ),
      );
    await age(9);
    expect((await match(id, {})).asked).toBe(0);
    await age(11);
    expect(await match(id, { name: 'Now' })).toMatchObject({ asked: 1, who: null, name: 'Now' });
    const rows = await inAccount(() => ChannelIdentity.find({ platformId: id }).lean());
    expect(rows).toMatchObject([
      { accountId, channel: 'slack', name: 'Now', userId: null, email: null, stranger: false },
    ]);
  });
});

describe('a trial', () => {
  const DAY = 86_400_000;
  const now = Date.now();
  const at = (days: number) => new Date(now + days * DAY);
  const subscribe = async (change: object) => {
    await inAccount(() => Subscription.deleteMany({}));
    await inAccount(() =>
      Subscription.create({ _id: accountId, accountId, plan: 'trial', status: 'trial', trialEndsAt: at(3), ...change }),
    );
    announce(accountId, ['account'], false);
  };
  const trial = () => inAccount(() => readTrial(accountId, now));
  const OVER = { isTrialActive: false, remainingDays: 0, subscriptionStatus: 'expired' };

  test('counts down its days and ends at its end date', async () => {
    expect(await trial()).toEqual(OVER);
    await subscribe({});
    expect(await trial()).toEqual({ isTrialActive: true, remainingDays: 3, subscriptionStatus: 'trial' });
    await subscribe({ trialEndsAt: new Date(now + 1) });
    expect(await trial()).toEqual({ isTrialActive: true, remainingDays: 1, subscriptionStatus: 'trial' });
    for (const end of [0, -2]) {
      await subscribe({ trialEndsAt: at(end) });
      expect(await trial()).toEqual(OVER);
    }
  });

  test('is replaced by a plan, which may end', async () => {
    const active = { isTrialActive: false, subscriptionStatus: 'active' };
    await subscribe({ plan: 'pro', status: 'active', planEndsAt: null });
    expect(await trial()).toEqual({ ...active, remainingDays: 3 });
    await subscribe({ plan: 'pro', status: 'active', planEndsAt: at(20) });
    expect(await trial()).toEqual({ ...active, remainingDays: 20 });
    await subscribe({ plan: 'pro', status: 'active', planEndsAt: at(-1) });
    expect(await trial()).toEqual(OVER);
    await subscribe({ plan: 'pro', status: 'active', planEndsAt: null, trialEndsAt: at(-1) });
    expect(await trial()).toEqual({ ...active, remainingDays: 0 });
  });

  test('refuses new work when over, and follows a plan set by another process at once', async () => {
    await subscribe({ trialEndsAt: at(-1) });
    await expect(inAccount(() => requireActivePlan(accountId))).rejects.toMatchObject({ code: 'trial_over' });
    await inAccount(() => Subscription.updateOne({ accountId }, { $set: { trialEndsAt: at(1) } }));
    await inAccount(() => requireActivePlan(accountId));
    await subscribe({});
    await inAccount(() => requireActivePlan(accountId));
  });

  test('is announced once when it has ended', async () => {
    const heard: number[] = [];
    const ours = new Set<number>();
    const listen = (of: number, topics: string[]) =>
      void (ours.has(of) && topics.includes('account') && heard.push(of));
    await announceEndedTrials(new Date(now + DAY));
    await subscribe({ trialEndsAt: at(2) });
    const other = accountId;
    accountId = await nextId('account');
    await subscribe({ status: 'active', planEndsAt: at(2), trialEndsAt: at(-9) });
    ours.add(other).add(accountId);
    changes.on('changed', listen);
    try {
      await announceEndedTrials(at(1.5));
      expect(heard).toEqual([]);
      await announceEndedTrials(at(2));
      expect(heard.sort()).toEqual([other, accountId].sort());
      await announceEndedTrials(at(3));
      expect(heard).toHaveLength(2);
    } finally {
      changes.off('changed', listen);
      await announceEndedTrials(new Date());
    }
  });
});

/** @environment store */
import { existsSync } from 'node:fs';
import { join as path } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { changeUser } from '../../../bot/engine/accounts/changeUser.ts';
import { noteCompany, readCompanies } from '../../../bot/engine/accounts/companies.ts';
import { createAccount, ensureAccount, type NewPerson } from '../../../bot/engine/accounts/createAccount.ts';
import { identify } from '../../../bot/engine/accounts/identify.ts';
import { hashPassword } from '../../../bot/engine/accounts/passwords.ts';
import { signIn } from '../../../bot/engine/accounts/signIn.ts';
import { readTimeZone } from '../../../bot/engine/accounts/timeZone.ts';
import { readBalance } from '../../../bot/engine/credits/credits.ts';
import { Account } from '../../../models/account.ts';
import { env } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { addMember, addUser, auditOf, collectChanges, join, newEmail } from '../../factories/members.ts';

connectTestStore();
const heard = collectChanges();

const DAY = 86_400_000;
const person = (change: Partial<NewPerson> = {}): NewPerson => ({
  email: newEmail(),
  passwordHash: 'hash',
  firstName: 'Ada',
  lastName: 'Okafor',
  emailVerified: false,
  ...change,
});
const accountsOf = async (userId: number) => (await Member.find({ userId }).lean()).map(({ accountId }) => accountId);
const subscriptionOf = (accountId: number) => runInAccount(accountId, () => Subscription.findOne({ accountId }).lean());
const balanceOf = (accountId: number) => runInAccount(accountId, () => readBalance(accountId));

describe('a new person', () => {
  test('gets a company of their own with a trial of 14 days and the sign-up credits', async () => {
    const it = person();
    const user = await createAccount(it);
    // From here on, an empty store means lost data.
    expect(existsSync(path(env.DATA_DIR, 'begun'))).toBe(true);
    expect(await User.findById(user._id).lean()).toMatchObject({
      ...it,
      verifiedBy: null,
      isAdmin: false,
      sessionsValidFrom: new Date(0),
    });
    const [accountId = 0, ...more] = await accountsOf(user._id);
    expect(more).toEqual([]);
    expect(await Account.findById(accountId).lean()).toMatchObject({
      name: 'Ada’s company',
      onboarding: { step: 'preferences', completed: false },
    });
    expect((await Member.findOne({ accountId }).lean())?.roles).toEqual(['owner']);
    expect(await subscriptionOf(accountId)).toMatchObject({
      _id: accountId,
      plan: 'trial',
      status: 'trial',
      trialEndsAt: new Date(user.createdAt.getTime() + 14 * DAY),
    });
    expect(await balanceOf(accountId)).toEqual({ tokensRemaining: 50_000, tokensUsed: 0 });
    expect(await auditOf(accountId)).toEqual([`account.created by ${user._id}: account:${accountId} created`]);
  });

  test.each([
    [{ emailVerified: true }, 'code'],
    [{ emailVerified: false }, null],
  ])('has a verified address only with a mailed code: %j is by %s', async (change, verifiedBy) => {
    expect((await createAccount(person(change))).verifiedBy).toBe(verifiedBy);
  });

  test.each([
    [{ firstName: 'Ben' }, 'Ben’s company'],
    [{ firstName: null, email: 'cara@quillmere.example' }, 'quillmere.example'],
    [{ firstName: null, email: 'nobody@' }, 'nobody@'],
  ])('has a company named after what is known: %j is %s', async (change, name) => {
    const [accountId] = await accountsOf((await createAccount(person(change)))._id);
    expect((await Account.findById(accountId).lean())?.name).toBe(name);
  });

  test('has an address that nobody else has', async () => {
    const it = person();
    const made = await Promise.allSettled([createAccount(it), createAccount(it)]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(createAccount(it)).rejects.toMatchObject({
      code: 'email_taken',
      fields: { email: 'An account with this email already exists.' },
    });
    expect(await User.countDocuments({ email: it.email })).toBe(1);
    // Another error is not mistaken for that one.
    expect(await codeOf(createAccount(person({ email: '' })))).not.toBe('email_taken');
  });
});

describe('a user’s current account', () => {
  test('is the last one used if they still belong to it, or else the one they have belonged to longest', async () => {
    const user = await addUser();
    const [late, early] = [nextNumber(), nextNumber()];
    await join(user, late, ['member'], { createdAt: new Date(2000) });
    await join(user, early, ['member'], { createdAt: new Date(1000) });
    expect(await ensureAccount(user)).toBe(early);
    expect(await ensureAccount({ ...user, lastAccountId: late })).toBe(late);
    const other = nextNumber();
    await join(await addUser(), other);
    expect(await ensureAccount({ ...user, lastAccountId: other })).toBe(early);
  });

  test('is completed after a crash left parts out, and only once', async () => {
    const user = await addUser({ createdAt: new Date(Date.now() - 2 * DAY) });
    const accountId = await ensureAccount(user);
    for (const _again of [0, 1]) expect(await ensureAccount(user)).toBe(accountId);
    expect(await accountsOf(user._id)).toEqual([accountId]);
    expect((await subscriptionOf(accountId))?.trialEndsAt).toEqual(new Date(user.createdAt.getTime() + 14 * DAY));
    expect(await auditOf(accountId)).toHaveLength(1);
    expect(await balanceOf(accountId)).toEqual({ tokensRemaining: 50_000, tokensUsed: 0 });
    await runInAccount(accountId, () => Subscription.deleteMany({}));
    await ensureAccount(user);
    expect(await subscriptionOf(accountId)).not.toBeNull();
    expect(await auditOf(accountId)).toHaveLength(1);
  });

  test('is created once when two requests create it at the same moment', async () => {
    const user = await addUser();
    const accountId = nextNumber();
    await join(user, accountId, ['owner']);
    expect(await Promise.all([ensureAccount(user), ensureAccount(user)])).toEqual([accountId, accountId]);
    expect(await auditOf(accountId)).toHaveLength(1);
  });
});

test('a login needs the user’s e-mail, in any spelling, and their password', async () => {
  const email = newEmail();
  const user = await createAccount(person({ email, passwordHash: await hashPassword('correct-horse-1') }));
  const [accountId] = await accountsOf(user._id);
  const found = await signIn(`  ${email.toUpperCase()} `, 'correct-horse-1');
  expect({ id: found.user._id, accountId: found.accountId }).toEqual({ id: user._id, accountId });
  expect(await codeOf(signIn(email, 'correct-horse-2'))).toBe('bad_credentials');
  expect(await codeOf(signIn(newEmail(), 'correct-horse-1'))).toBe('bad_credentials');
  const provided = await addUser({ passwordHash: null });
  expect(await codeOf(signIn(provided.email, 'correct-horse-1'))).toBe('bad_credentials');
});

describe('a user’s companies', () => {
  test('are those they belong to, the longest first, and the current one', async () => {
    const who = makeWho();
    const [first, second] = [nextNumber(), nextNumber()];
    await Account.create({ _id: first, name: 'First' });
    await Account.create({ _id: who.accountId, name: 'Own' });
    await join({ _id: who.userId }, second, ['member'], { createdAt: new Date(3000) });
    await join({ _id: who.userId }, who.accountId, ['owner'], { createdAt: new Date(2000) });
    await join({ _id: who.userId }, first, ['approver', 'deputy'], { createdAt: new Date(1000) });
    await join(await addUser(), first);
    expect(await readCompanies(who)).toEqual([
      { accountId: first, name: 'First', roles: ['approver', 'deputy'], current: false },
      { accountId: who.accountId, name: 'Own', roles: ['owner'], current: true },
      { accountId: second, name: '', roles: ['member'], current: false },
    ]);
  });

  test('can be switched only to one they belong to, and the next login uses it', async () => {
    const [who, other] = [await addMember(), await addMember()];
    const second = nextNumber();
    await join({ _id: who.userId }, second);
    expect(await codeOf(noteCompany(who.userId, other.accountId))).toBe('not_found');
    const lastOf = async (userId: number) => (await User.findById(userId).lean())?.lastAccountId;
    expect(await lastOf(who.userId)).toBeNull();
    await noteCompany(who.userId, second);
    expect([await lastOf(who.userId), await lastOf(other.userId)]).toEqual([second, null]);
  });
});

test('a user is changed by e-mail, in any spelling, and each of their accounts is notified', async () => {
  const [who, other] = [await addMember(), await addMember()];
  const second = nextNumber();
  await join({ _id: who.userId }, second);
  expect((await identify(who.userId, who.accountId, Date.now()))?.isAdmin).toBe(false);
  expect(await changeUser(` ${who.email.toUpperCase()}`, { isAdmin: true })).toBe(true);
  expect(heard.toSorted()).toEqual([`${who.accountId} account`, `${second} account`].toSorted());
  expect((await identify(who.userId, who.accountId, Date.now()))?.isAdmin).toBe(true);
  expect((await User.findById(other.userId).lean())?.isAdmin).toBe(false);
  expect(await changeUser(newEmail(), { isAdmin: true })).toBe(false);
  expect(heard).toHaveLength(2);
});

test('a time zone belongs to the account, defaults to London’s, and is read again when the account changes', async () => {
  const accountId = nextNumber();
  expect(await readTimeZone(accountId)).toBe('Europe/London');
  await Account.create({ _id: accountId, name: 'A', timeZone: 'Europe/Berlin' });
  announce(accountId, ['account']);
  expect(await readTimeZone(accountId)).toBe('Europe/Berlin');
});

/** @environment store */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { acceptInvitation, createInvitation, findInvitation } from '../../../bot/engine/accounts/invitations.ts';
import { inviteMember, memberName, readMembers, removeMember } from '../../../bot/engine/accounts/members.ts';
import { fitsPassword, hashPassword } from '../../../bot/engine/accounts/passwords.ts';
import { Account } from '../../../models/account.ts';
import type { AppError } from '../../../models/contracts/errors.ts';
import { baseUrl } from '../../../models/env.ts';
import { Invitation, type InvitationRow } from '../../../models/invitation.ts';
import { Member, type Role } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { User } from '../../../models/user.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { addMember, addUser, auditOf, collectChanges, join, newEmail } from '../../factories/members.ts';

connectTestStore();
const heard = collectChanges();

let owner: Who;
beforeEach(async () => {
  owner = await addMember({ roles: ['owner'] });
});

const DAY = 86_400_000;
const LAST_OWNER = {
  code: 'bad_request',
  fields: { roles: 'A company needs an owner: make somebody else an owner first.' },
};
const colleague = (roles: Role[] = ['member']) => addMember({ accountId: owner.accountId, roles });
const rolesOf = async ({ userId, accountId }: Who) => (await Member.findOne({ userId, accountId }).lean())?.roles;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const nameOfficer = (accountId: number, userId: number) =>
  Account.updateOne(
    { _id: accountId },
    { $set: { name: 'A', clinicalSafetyOfficer: { userId, name: 'Ada' } } },
    { upsert: true },
  );
const officerOf = async (accountId: number) => (await Account.findById(accountId).lean())?.clinicalSafetyOfficer;
const invite = async (email = newEmail(), { mailed = false, roles = ['approver'] as Role[], by = owner } = {}) => ({
  email,
  ...(await createInvitation(by, email, roles, { mailed })),
});

describe('the members of an account', () => {
  test('are listed in the order in which they joined, with the open invitations', async () => {
    const { accountId } = owner;
    const ben = await addUser({ firstName: 'Ben', lastName: null });
    await join(ben, accountId, ['approver'], { createdAt: new Date(1000) });
    await join({ _id: nextNumber() }, accountId);
    await addMember();
    const open = await invite();
    const late = await invite();
    await Invitation.updateOne({ _id: late.invitation._id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    await invite(newEmail(), { by: await addMember() });
    const read = await readMembers(accountId);
    expect(read.members.map((it) => [memberName(it), it.roles])).toEqual([
      ['Ben', ['approver']],
      ['Ada Okafor', ['owner']],
    ]);
    expect(read.invitations.map(({ email }) => email)).toEqual([open.email]);
  });
});

describe('an invitation', () => {
  test('is for somebody who is not a member, as a link that works for seven days', async () => {
    const { accountId, userId } = owner;
    const email = (await addMember()).email;
    const made = (await inviteMember(owner, email, ['approver', 'deputy'])) as {
      invitation: InvitationRow;
      link: string;
    };
    const token = new URL(made.link).searchParams.get('invitation') ?? '';
    expect(made.link).toBe(`${baseUrl()}/auth?invitation=${token}`);
    // 24 bytes in base64.
    expect(token).toMatch(/^[\w-]{32}$/);
    const row = await Invitation.findOne({ accountId }).lean();
    expect(row).toMatchObject({
      _id: made.invitation._id,
      email,
      roles: ['approver', 'deputy'],
      tokenHash: sha256(token),
      mailed: false,
      invitedBy: userId,
      acceptedBy: null,
    });
    expect(Math.round(((row?.expiresAt.getTime() ?? 0) - Date.now()) / DAY)).toBe(7);
    expect(heard).toEqual([`${accountId} account`]);
    expect(await auditOf(accountId)).toEqual([
      `member.invited by ${userId}: invitation:${row?._id} approver deputy by a link`,
    ]);
    expect(await findInvitation(token)).toMatchObject({ _id: row?._id });
  });

  test('replaces an earlier one for the same address in the same account', async () => {
    const [first, other] = [await invite(), await invite()];
    const elsewhere = await invite(first.email, { by: await addMember() });
    const again = await invite(first.email, { mailed: true });
    expect(await codeOf(findInvitation(first.token))).toBe('not_found');
    for (const { token, email } of [again, other, elsewhere]) expect((await findInvitation(token)).email).toBe(email);
    expect(again.invitation.mailed).toBe(true);
    expect((await auditOf(owner.accountId)).at(-1)).toContain('approver by mail');
  });

  test('is open until it expires, and only for its own token', async () => {
    const { invitation, token } = await invite();
    expect(await codeOf(findInvitation(`${token}x`))).toBe('not_found');
    await Invitation.updateOne({ _id: invitation._id }, { $set: { expiresAt: new Date() } });
    expect(await codeOf(findInvitation(token))).toBe('not_found');
  });

  test('can only be made and withdrawn by an owner, as can a membership', async () => {
    const [ben, cara] = [await colleague(['approver', 'deputy']), await colleague()];
    const { invitation } = await invite();
    expect(await codeOf(inviteMember(ben, newEmail(), ['member']))).toBe('not_allowed');
    expect(await codeOf(inviteMember(ben, cara.email, ['approver']))).toBe('not_allowed');
    expect(await codeOf(removeMember(ben, { userId: cara.userId }))).toBe('not_allowed');
    expect(await codeOf(removeMember(ben, { invitationId: String(invitation._id) }))).toBe('not_allowed');
    expect(await Invitation.countDocuments({ accountId: owner.accountId })).toBe(1);
  });

  test('is withdrawn once, in its own account, and not while somebody is joining with it', async () => {
    const { accountId, userId } = owner;
    const [one, taken] = [await invite(), await invite()];
    const withdraw = (id: unknown, by = owner) => codeOf(removeMember(by, { invitationId: String(id) }));
    const other = await addMember();
    expect(await withdraw(one.invitation._id, other)).toBe('not_found');
    expect(await auditOf(other.accountId)).toEqual([]);
    heard.length = 0;
    expect(await withdraw(one.invitation._id)).toBe('done');
    expect(heard).toEqual([`${accountId} account`]);
    const told = await auditOf(accountId);
    expect(told.at(-1)).toBe(`invitation.withdrawn by ${userId}: invitation:${one.invitation._id} withdrawn`);
    expect(await withdraw(one.invitation._id)).toBe('not_found');
    expect(await withdraw('no id')).toBe('not_found');
    expect(await auditOf(accountId)).toEqual(told);
    await Invitation.updateOne({ _id: taken.invitation._id }, { $set: { acceptedBy: 7 } });
    expect(await withdraw(taken.invitation._id)).toBe('not_found');
    expect(await Invitation.countDocuments({ accountId })).toBe(1);
  });
});

describe('a member’s roles', () => {
  test('change only in this account', async () => {
    const { accountId, userId } = owner;
    const [ben, cara] = [await colleague(['member', 'deputy']), await colleague()];
    const elsewhere = nextNumber();
    await join({ _id: ben.userId }, elsewhere, ['approver']);
    const made = await inviteMember(owner, ben.email, ['approver', 'member']);
    expect(made).toMatchObject({ member: { roles: ['approver', 'member'], user: { email: ben.email } } });
    expect(await rolesOf(ben)).toEqual(['approver', 'member']);
    expect(await rolesOf(cara)).toEqual(['member']);
    expect(await rolesOf({ ...ben, accountId: elsewhere })).toEqual(['approver']);
    expect(heard).toEqual([`${accountId} account`]);
    expect(await auditOf(accountId)).toEqual([
      `roles.changed by ${userId}: user:${ben.userId} member deputy -> approver member`,
    ]);
    expect(await Invitation.countDocuments({ accountId })).toBe(0);
  });

  test('always leave the account an owner', async () => {
    const elsewhere = await addMember();
    await join({ _id: owner.userId }, elsewhere.accountId, ['owner']);
    await colleague(['approver']);
    await expect(inviteMember(owner, owner.email, ['member'])).rejects.toMatchObject(LAST_OWNER);
    await expect(removeMember(owner, { userId: owner.userId })).rejects.toMatchObject(LAST_OWNER);
    expect(await rolesOf(owner)).toEqual(['owner']);
    expect(await auditOf(owner.accountId)).toEqual([]);
    await inviteMember(owner, owner.email, ['deputy', 'owner']);
    const ben = await colleague(['owner']);
    await inviteMember(owner, owner.email, ['member']);
    expect([await rolesOf(owner), await rolesOf(ben)]).toEqual([['member'], ['owner']]);
    await expect(removeMember(ben, { userId: ben.userId })).rejects.toMatchObject(LAST_OWNER);
  });

  test.each([
    ['unmake', (by: Who, who: Who) => inviteMember(by, who.email, ['member'])],
    ['remove', (by: Who, who: Who) => removeMember(by, { userId: who.userId })],
  ])('leave an owner even when two owners %s each other at the same moment', async (_what, unmake) => {
    const ben = await colleague(['owner']);
    const both = await Promise.all([codeOf(unmake(owner, ben)), codeOf(unmake(ben, owner))]);
    expect(both).toContain('bad_request');
    expect(await Member.exists({ accountId: owner.accountId, roles: 'owner' })).not.toBeNull();
  });

  test('neither give nor take the officer’s role, whose appointment has a registration', async () => {
    const { accountId } = owner;
    const ben = await colleague(['clinical-safety-officer']);
    const cara = await colleague();
    const fieldsOf = (work: Promise<unknown>) => work.catch((error: AppError) => error.fields);
    const refused = { roles: expect.stringMatching(/^The Clinical Safety Officer is appointed under Preferences/) };
    await nameOfficer(accountId, ben.userId);
    await inviteMember(owner, ben.email, ['clinical-safety-officer', 'approver']);
    const wanted = [
      () => inviteMember(owner, ben.email, ['approver']),
      () => inviteMember(owner, cara.email, ['clinical-safety-officer']),
      () => inviteMember(owner, newEmail(), ['clinical-safety-officer']),
    ];
    for (const work of wanted) expect(await fieldsOf(work())).toEqual(refused);
    expect(await officerOf(accountId)).toMatchObject({ userId: ben.userId });
    expect(await rolesOf(ben)).toEqual(['clinical-safety-officer', 'approver']);
  });
});

test('a removed member leaves only this account, and is no longer its officer', async () => {
  const { accountId, userId } = owner;
  const [ben, cara] = [await colleague(['clinical-safety-officer', 'deputy']), await colleague()];
  const elsewhere = await addMember();
  await join({ _id: ben.userId }, elsewhere.accountId);
  await nameOfficer(accountId, ben.userId);
  expect(await codeOf(removeMember(owner, { userId: elsewhere.userId }))).toBe('not_found');
  expect(await codeOf(removeMember(owner, {}))).toBe('not_found');
  await removeMember(owner, { userId: cara.userId });
  expect(await officerOf(accountId)).toMatchObject({ userId: ben.userId });
  heard.length = 0;
  await removeMember(owner, { userId: ben.userId });
  expect(heard).toEqual([`${accountId} account`]);
  expect(await officerOf(accountId)).toBeNull();
  expect(await auditOf(accountId)).toEqual([
    `member.removed by ${userId}: user:${cara.userId} member -> none`,
    `member.removed by ${userId}: user:${ben.userId} clinical-safety-officer deputy -> none`,
  ]);
  expect((await readMembers(accountId)).members.map(({ userId: one }) => one)).toEqual([userId]);
  expect(await rolesOf({ ...ben, accountId: elsewhere.accountId })).toEqual(['member']);
});

describe('somebody who joins with an invitation', () => {
  const PASSWORD = 'correct-horse-1';
  const accept = (token: string, it: object = {}, signedIn: Who | null = null) =>
    acceptInvitation({ token, ...it }, signedIn);

  test('and has no user becomes a user and a member of that account, with the given details', async () => {
    const { accountId } = owner;
    const { email, token, invitation } = await invite(newEmail(), { roles: ['approver', 'deputy'] });
    heard.length = 0;
    const joined = await accept(token, { password: PASSWORD, firstName: 'Ben', lastName: '' });
    expect(joined).toMatchObject({ accountId, user: { email, emailVerified: false } });
    const row = requireRow(await User.findOne({ email }).lean());
    expect(row).toMatchObject({
      _id: joined.user._id,
      firstName: 'Ben',
      lastName: null,
      emailVerified: false,
      verifiedBy: null,
      isAdmin: false,
      sessionsValidFrom: new Date(0),
    });
    expect(await fitsPassword(row.passwordHash, PASSWORD)).toBe(true);
    expect(await rolesOf({ ...owner, userId: row._id })).toEqual(['approver', 'deputy']);
    expect(heard).toEqual([`${accountId} account`]);
    expect((await auditOf(accountId)).at(-1)).toBe(
      `member.joined by ${row._id}: invitation:${invitation._id} approver deputy`,
    );
    expect(await codeOf(accept(token, { password: PASSWORD }))).toBe('invitation_used');
    const last = await invite();
    await accept(last.token, { password: PASSWORD, firstName: '', lastName: 'Hughes' });
    expect(await User.findOne({ email: last.email }).lean()).toMatchObject({ firstName: null, lastName: 'Hughes' });
  });

  test('and a mailed link has a verified mailbox; a code typed before counts for more and stays', async () => {
    const joinMailed = async (email: string, it: object, who: Who | null = null) =>
      (await accept((await invite(email, { mailed: true })).token, it, who)).user;
    const proofOf = async (email: string) => {
      const { emailVerified, verifiedBy } = requireRow(await User.findOne({ email }).lean());
      return [emailVerified, verifiedBy];
    };
    const fresh = newEmail();
    expect((await joinMailed(fresh, { password: PASSWORD })).emailVerified).toBe(true);
    expect(await proofOf(fresh)).toEqual([true, 'invitation']);
    const coded = await addUser({ verifiedBy: 'code' });
    const asThem = makeWho({ userId: coded._id });
    expect((await joinMailed(coded.email, {}, asThem)).emailVerified).toBe(true);
    expect(await proofOf(coded.email)).toEqual([true, 'code']);
    const doubtful = await addUser({ emailVerified: false });
    const { token } = await invite(doubtful.email);
    const joined = await accept(token, {}, makeWho({ userId: doubtful._id }));
    expect(joined.user.emailVerified).toBe(false);
    expect(await proofOf(doubtful.email)).toEqual([false, null]);
  });

  test('and has a user proves it by being signed in or by the password', async () => {
    const passwordHash = await hashPassword(PASSWORD);
    const codes: unknown[] = [];
    for (const [it, isThem] of [
      [{}, true],
      [{ password: PASSWORD }, false],
      [{ password: 'correct-horse-2' }, false],
      [{ password: 'weak' }, false],
      [{}, false],
    ] as const) {
      const user = await addUser({ passwordHash });
      const { token } = await invite(user.email);
      codes.push(await codeOf(accept(token, it, makeWho(isThem ? { userId: user._id } : {}))));
    }
    expect(codes).toEqual(['done', 'done', 'bad_credentials', 'bad_request', 'bad_request']);
    expect(await codeOf(accept((await invite()).token, { password: 'weak' }))).toBe('bad_request');
  });

  test('uses the invitation up for others, and may repeat it themselves', async () => {
    const user = await addUser();
    const { token, invitation } = await invite(user.email);
    const claim = (acceptedBy: number) => Invitation.updateOne({ _id: invitation._id }, { $set: { acceptedBy } });
    const asThem = makeWho({ userId: user._id });
    await claim(user._id + 1);
    expect(await codeOf(accept(token, {}, asThem))).toBe('not_found');
    expect(await rolesOf({ ...owner, userId: user._id })).toBeUndefined();
    await claim(user._id);
    // As after a crash right after the member was created.
    await join(user, owner.accountId, ['deputy']);
    expect(await codeOf(accept(token, {}, asThem))).toBe('done');
    expect(await rolesOf({ ...owner, userId: user._id })).toEqual(['deputy']);
  });

  test('twice at the same moment becomes one user and one member', async () => {
    const { email, token } = await invite();
    const both = await Promise.all([0, 1].map(() => codeOf(accept(token, { password: PASSWORD }))));
    expect(both).toContain('done');
    expect(await User.countDocuments({ email })).toBe(1);
    expect(await Member.countDocuments({ accountId: owner.accountId })).toBe(2);
  });
});

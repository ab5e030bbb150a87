/** @environment mail */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inviteMember } from '../../../bot/engine/accounts/members.ts';
import { fitsPassword, hashPassword } from '../../../bot/engine/accounts/passwords.ts';
import { beginReset, beginSignUp, finishSignUp, resetPassword } from '../../../bot/engine/accounts/signUp.ts';
import { Account } from '../../../models/account.ts';
import { baseUrl } from '../../../models/env.ts';
import { Invitation } from '../../../models/invitation.ts';
import { Member } from '../../../models/member.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { User } from '../../../models/user.ts';
import { Verification } from '../../../models/verification.ts';
import { smtp } from '../../environments/mail.ts';

import { addMember, addUser, auditOf, collectChanges, join, newEmail } from '../../factories/members.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { codeOf, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
const heard = collectChanges();

const PASSWORD = 'correct-horse-1';
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to === email);
const codeIn = (email: string) => /Your code is (\d{6})\./.exec(mailsTo(email).at(-1)?.text ?? '')?.[1] ?? '';
const begin = (email: string, change: object = {}) =>
  beginSignUp({ email, password: PASSWORD, firstName: 'Ada', lastName: '', ...change });
const userOf = async (email: string) => requireRow(await User.findOne({ email }).lean());

test('a sign-up is completed with the mailed code, once', async () => {
  const email = newEmail();
  expect(await begin(email)).toBeNull();
  expect(await User.exists({ email })).toBeNull();
  expect(mailsTo(email)).toEqual([
    expect.objectContaining({
      to: email,
      subject: 'Your Arc confirmation code',
      text: expect.stringMatching(
        /^Your code is (\d{6})\. It expires in 15 minutes and can be used once\.\n\n\1\n\n--\nArc\nYou get this because .*do nothing\.$/,
      ),
    }),
  ]);
  expect(await codeOf(finishSignUp(email, '12345'))).toBe('invalid_code');
  const user = await finishSignUp(email, codeIn(email));
  expect(user).toMatchObject({ email, firstName: 'Ada', lastName: null, emailVerified: true, verifiedBy: 'code' });
  expect(await fitsPassword((await userOf(email)).passwordHash, PASSWORD)).toBe(true);
  expect(await Member.countDocuments({ userId: user._id })).toBe(1);
  expect(await codeOf(finishSignUp(email, codeIn(email)))).toBe('invalid_code');
  const other = newEmail();
  await begin(other, { firstName: '', lastName: 'Okafor' });
  expect(await finishSignUp(other, codeIn(other))).toMatchObject({ firstName: null, lastName: 'Okafor' });
});

test('a sign-up with a registered address is told so only by mail to that address', async () => {
  const { email } = await addUser();
  expect(await begin(email)).toBeNull();
  expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['You already have an Arc account']);
  expect(await Verification.countDocuments({ email })).toBe(0);
  expect(await codeOf(begin(newEmail(), { password: 'weak' }))).toBe('bad_request');
});

test('a code for another purpose does not complete a sign-up', async () => {
  const { email } = await addUser();
  await beginReset(email);
  expect(await codeOf(finishSignUp(email, codeIn(email)))).toBe('invalid_code');
  await Verification.updateOne({ email }, { $set: { purpose: 'sign-up' } });
  expect(await codeOf(finishSignUp(email, codeIn(email)))).toBe('invalid_code');
});

test('a mailed code resets a password, ends earlier sessions and notifies every account of the person', async () => {
  const who = await addMember({ emailVerified: false }, { passwordHash: await hashPassword(PASSWORD) });
  const { accountId, userId, email } = who;
  const second = nextNumber();
  await join({ _id: userId }, second);
  const other = await addMember();
  const nobody = newEmail();
  await beginReset(nobody);
  expect(mailsTo(nobody)).toEqual([]);
  expect(await Verification.countDocuments({ email: nobody })).toBe(0);
  await beginReset(email);
  expect(mailsTo(email)).toEqual([
    expect.objectContaining({
      to: email,
      subject: 'Your Arc reset code',
      text: expect.stringMatching(
        /^Your code is (\d{6})\. It expires in 15 minutes\. If you did not ask for it, do nothing\.\n\n\1\n\n--\nArc\nYou get this because .*address\.$/,
      ),
    }),
  ]);
  const code = codeIn(email);
  expect(await codeOf(resetPassword(email, code, 'weak'))).toBe('bad_request');
  expect(await codeOf(resetPassword(email, 'wrong', 'correct-horse-2'))).toBe('invalid_code');
  expect(await auditOf(accountId)).toEqual([]);
  const before = Date.now();
  await resetPassword(email, code, 'correct-horse-2');
  const user = await userOf(email);
  expect(user).toMatchObject({ emailVerified: true, verifiedBy: 'code' });
  expect(user.sessionsValidFrom.getTime()).toBeGreaterThanOrEqual(before);
  expect(await fitsPassword(user.passwordHash, 'correct-horse-2')).toBe(true);
  expect(await fitsPassword(user.passwordHash, PASSWORD)).toBe(false);
  for (const account of [accountId, second])
    expect(await auditOf(account)).toEqual([`password.changed by ${userId}: user:${userId} by a code`]);
  expect(heard.toSorted()).toEqual([`${accountId} account`, `${second} account`].toSorted());
  expect((await userOf(other.email)).sessionsValidFrom).toEqual(new Date(0));
  expect(await codeOf(resetPassword(email, code, PASSWORD))).toBe('invalid_code');
});

test('a code of a user who no longer exists resets nothing and is used up', async () => {
  const { _id, email } = await addUser();
  await beginReset(email);
  await User.deleteOne({ _id });
  expect(await codeOf(resetPassword(email, codeIn(email), PASSWORD))).toBe('done');
  expect(await User.exists({ email })).toBeNull();
  expect(await Verification.countDocuments({ email })).toBe(0);
});

test('an invitation link is sent only by mail', async () => {
  const owner = await addMember({ name: 'Ben Hughes' });
  const invite = async () => {
    const email = newEmail();
    const made = await inviteMember(owner, email, ['member']);
    return { made, mails: mailsTo(email) };
  };
  const unnamed = await invite();
  expect(unnamed.mails[0]?.subject).toBe('Ben Hughes invites you to Arc');
  await Account.create({ _id: owner.accountId, name: 'Quillmere' });
  const { made, mails } = await invite();
  expect(made).toEqual({ invitation: expect.objectContaining({ mailed: true }), link: null });
  expect(mails).toHaveLength(1);
  const text = mails[0]?.text ?? '';
  expect(mails[0]?.subject).toBe('Ben Hughes invites you to Quillmere');
  expect(text).toContain(`Open this page to join: ${baseUrl()}/auth?invitation=`);
  expect(text).toContain('It expires in 7 days.');
  expect(await Invitation.countDocuments({ accountId: owner.accountId, mailed: true })).toBe(2);
});

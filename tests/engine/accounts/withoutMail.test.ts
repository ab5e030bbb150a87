/** @environment store */
import { expect, test } from '@jest/globals';
import { beginReset, beginSignUp } from '../../../bot/engine/accounts/signUp.ts';
import { Verification } from '../../../models/verification.ts';
import { codeOf, connectTestStore } from '../../factories/account.ts';
import { addUser, newEmail } from '../../factories/members.ts';

connectTestStore();

const it = () => ({ email: newEmail(), password: 'correct-horse-1' });

test('without mail, a sign-up creates the account at once, with an unverified address', async () => {
  const given = { ...it(), firstName: 'Ada', lastName: '' };
  const names = { firstName: 'Ada', lastName: null };
  expect(await beginSignUp(given)).toMatchObject({ email: given.email, ...names, emailVerified: false });
  expect(await beginSignUp({ ...it(), firstName: '', lastName: 'B' })).toMatchObject({
    firstName: null,
    lastName: 'B',
  });
  expect(await codeOf(beginSignUp(given))).toBe('email_taken');
});

test('without mail, no reset code is created', async () => {
  const { email } = await addUser();
  await beginReset(email);
  expect(await Verification.countDocuments({})).toBe(0);
});

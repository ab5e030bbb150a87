import { expect, test } from '@jest/globals';
import {
  accountFilter,
  currentAccountId,
  dangerouslyRunInEveryAccount,
  runInAccount,
} from '../../models/store/context.ts';

const look = () => ({ id: currentAccountId(), filter: accountFilter() });

test('work inside an account is scoped to it, even after waiting', async () => {
  const expected = { id: 7, filter: { accountId: 7 } };
  expect(await runInAccount(7, look)).toStrictEqual(expected);
  expect(await runInAccount(7, () => new Promise((resolve) => setImmediate(() => resolve(look()))))).toStrictEqual(
    expected,
  );
});

test('work across accounts has no filter, and no account', async () => {
  expect(await dangerouslyRunInEveryAccount(look)).toStrictEqual({ id: undefined, filter: {} });
});

test('an account inside another applies until it ends', async () => {
  const both = await runInAccount(1, async () => [await runInAccount(2, currentAccountId), currentAccountId()]);
  expect(both).toEqual([2, 1]);
  expect(await runInAccount(1, () => dangerouslyRunInEveryAccount(currentAccountId))).toBeUndefined();
});

test('outside any account there is none, and queries throw', () => {
  expect(currentAccountId()).toBeUndefined();
  expect(accountFilter).toThrow('A query on customer data was made outside any account context.');
});

import { AsyncLocalStorage } from 'node:async_hooks';

type Context = { accountId: number } | { everyAccount: true };

const storage = new AsyncLocalStorage<Context>();

/**
 * Runs work inside one account: every query in it is scoped to the account. Entered only where a request's account is
 * known: session, socket message, turn, and job. The work is awaited inside, because a query runs when it is awaited,
 * not when it is created.
 */
export function runInAccount<T>(accountId: number, work: () => PromiseLike<T> | T): Promise<T> {
  return storage.run({ accountId }, async () => await work());
}

/**
 * Runs work that reads across accounts: start-up, sweeps, sign-in. Each use must be listed in tests/house.test.ts with
 * its reason.
 */
export function dangerouslyRunInEveryAccount<T>(work: () => PromiseLike<T> | T): Promise<T> {
  return storage.run({ everyAccount: true }, async () => await work());
}

/** The current account; undefined outside any account and in work across all. */
export function currentAccountId(): number | undefined {
  const context = storage.getStore();
  return context && 'accountId' in context ? context.accountId : undefined;
}

/**
 * The filter that a query must carry.
 * @throws outside any context: a query without an account is a defect
 */
export function accountFilter(): { accountId?: number } {
  const context = storage.getStore();
  if (!context) throw new Error('A query on customer data was made outside any account context.');
  return 'accountId' in context ? { accountId: context.accountId } : {};
}

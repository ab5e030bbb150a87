import { AsyncLocalStorage } from 'node:async_hooks';

type Context = { accountId: number } | { everyAccount: true };

const storage = new AsyncLocalStorage<Context>();

/**
 * Runs work inside one account: every query below it is scoped to it. Entered only where work comes in: a session, a
 * message by socket, a turn of a channel, a job. The work is awaited inside, because a query runs when it is awaited and
 * not when it is made.
 */
export function runInAccount<T>(accountId: number, work: () => PromiseLike<T> | T): Promise<T> {
  return storage.run({ accountId }, async () => await work());
}

/** Runs work that reads across accounts: start-up, sweepers, sign-in. Each use must be able to say why. */
export function dangerouslyRunInEveryAccount<T>(work: () => PromiseLike<T> | T): Promise<T> {
  return storage.run({ everyAccount: true }, async () => await work());
}

/** The account of the work at hand; undefined where there is none or where it spans all. */
export function currentAccountId(): number | undefined {
  const context = storage.getStore();
  return context && 'accountId' in context ? context.accountId : undefined;
}

/**
 * The filter that a query must carry.
 * @throws where no door was passed: a query that names no account is a defect, never an answer.
 */
export function accountFilter(): { accountId?: number } {
  const context = storage.getStore();
  if (!context) throw new Error('A query on customer data was made outside any account context.');
  return 'accountId' in context ? { accountId: context.accountId } : {};
}

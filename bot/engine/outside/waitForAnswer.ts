import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { hasExpired, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { currentAccountId } from '../../../models/store/context.ts';
import { changes } from '../../../models/store/revisions.ts';
import type { TokenHolder } from '../access/accessTokens.ts';

/** Calls that wait, by account: each looks at its question when one of the account changed. */
const waiting = new Map<number, Set<() => void>>();
/** Number of waiting calls by token. */
const calls = new Map<string, number>();
/** How often the store is read, for a change whose announcement was lost. */
const POLL_MS = 2000;
const RETRY_SECONDS = 5;

changes.on('changed', (accountId, topics) => {
  if (topics.includes('interrupts')) for (const look of waiting.get(accountId) ?? []) look();
});

/**
 * Waits until a question is answered, withdrawn or expired.
 * @param seconds the longest wait; the question is then returned as it is
 * @param signal ends the wait, e.g. where the caller has gone
 * @throws AppError too_many where the token has the most calls waiting that it may have
 */
export async function waitForAnswer(
  { token }: Pick<TokenHolder, 'token'>,
  row: InterruptRow,
  seconds: number,
  signal?: AbortSignal,
): Promise<InterruptRow> {
  if (seconds <= 0 || row.status !== 'pending') return row;
  const key = String(token._id);
  const others = calls.get(key) ?? 0;
  if (others >= LIMITS.outside.waiting) throw new AppError('too_many', { seconds: RETRY_SECONDS });
  calls.set(key, others + 1);
  try {
    return await watch(row, seconds * 1000, signal);
  } finally {
    const left = (calls.get(key) ?? 1) - 1;
    if (left > 0) calls.set(key, left);
    else calls.delete(key);
  }
}

function watch(row: InterruptRow, milliseconds: number, signal?: AbortSignal): Promise<InterruptRow> {
  const { _id, accountId } = row;
  if (currentAccountId() !== accountId) throw new Error('A question of another account was waited for.');
  return new Promise((resolve, reject) => {
    let latest = row;
    const stop = () => {
      clearTimeout(timer);
      clearInterval(poll);
      signal?.removeEventListener('abort', finish);
      const watchers = waiting.get(accountId);
      watchers?.delete(look);
      if (watchers?.size === 0) waiting.delete(accountId);
    };
    const finish = () => {
      stop();
      resolve(latest);
    };
    const look = () => {
      Interrupt.findOne({ _id, accountId })
        .lean()
        .then(
          (now) => {
            latest = now ?? latest;
            if (latest.status !== 'pending' || hasExpired(latest, Date.now())) finish();
          },
          (error: unknown) => {
            stop();
            reject(error);
          },
        );
    };
    const timer = setTimeout(finish, milliseconds);
    const poll = setInterval(look, POLL_MS);
    signal?.addEventListener('abort', finish, { once: true });
    const watchers = waiting.get(accountId) ?? new Set();
    waiting.set(accountId, watchers.add(look));
    // Read after listening: an answer given in between is not missed.
    look();
  });
}

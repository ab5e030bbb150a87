import type { Topic } from '../contracts/realtime.ts';
import { makeCache } from './cache.ts';
import { changes } from './revisions.ts';

/** However sure we are of hearing of changes, nothing is believed for longer than this. */
const KEPT_MILLISECONDS = 60_000;

/**
 * Remembers what a read gave, per account, until one of its topics changes, here or (by signal, within half a second)
 * in another process. For what every message asks and few change: plan, switches, agents.
 * @param read gets the account's id; what it gives must not be changed by anyone
 */
export function rememberPerAccount<T>(
  topics: readonly Topic[],
  read: (accountId: number) => Promise<T>,
): (accountId: number) => Promise<T> {
  // Held in an object, so that a value that is undefined is known too.
  const kept = makeCache<number, { value: T }>(KEPT_MILLISECONDS);
  const rounds = new Map<number, number>();
  changes.on('changed', (accountId, changed) => {
    if (!changed.some((topic) => topics.includes(topic))) return;
    kept.delete(accountId);
    rounds.set(accountId, (rounds.get(accountId) ?? 0) + 1);
  });
  return async (accountId) => {
    const known = kept.get(accountId);
    if (known) return known.value;
    const round = rounds.get(accountId) ?? 0;
    const value = await read(accountId);
    // Read while it changed: good for this caller, and for nobody after.
    if ((rounds.get(accountId) ?? 0) === round) kept.set(accountId, { value });
    return value;
  };
}

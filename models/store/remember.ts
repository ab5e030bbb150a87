import type { Topic } from '../contracts/realtime.ts';
import { makeCache } from './cache.ts';
import { changes, noteHeld } from './revisions.ts';

/** Upper bound on the age of a cached value, in case a change is missed. */
const MAX_AGE_MS = 60_000;

/**
 * Caches a read per account until one of its topics changes, in this process or (by signal, within half a second) in
 * another. For values that every message needs and that rarely change: plan, switches, agents.
 * @param read called with the account's id; callers must not modify the result
 */
export function rememberPerAccount<T>(
  topics: readonly Topic[],
  read: (accountId: number) => Promise<T>,
): (accountId: number) => Promise<T> {
  // Wrapped, so that undefined is cached too.
  const kept = makeCache<number, { value: T }>(MAX_AGE_MS);
  const rounds = new Map<number, number>();
  changes.on('changed', (accountId, changed) => {
    if (!changed.some((topic) => topics.includes(topic))) return;
    kept.delete(accountId);
    rounds.set(accountId, (rounds.get(accountId) ?? 0) + 1);
  });
  return async (accountId) => {
    const known = kept.get(accountId);
    if (known) return known.value;
    noteHeld(accountId);
    const round = rounds.get(accountId) ?? 0;
    const value = await read(accountId);
    // Changed while it was read: valid for this caller, but not cached.
    if ((rounds.get(accountId) ?? 0) === round) kept.set(accountId, { value });
    return value;
  };
}

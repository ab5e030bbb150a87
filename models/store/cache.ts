import { LRUCache } from 'lru-cache';

/** Default capacity, in entries. */
const MAX_KEPT = 10_000;

/**
 * Makes an in-memory LRU cache.
 * @param lifetime validity of an entry in milliseconds; null for values that never change
 */
export const makeCache = <Key extends string | number, Value extends object | string | boolean>(
  lifetime: number | null,
  max = MAX_KEPT,
): LRUCache<Key, Value> =>
  new LRUCache(
    // The clock is read on every access: an expired entry must never be returned.
    lifetime === null ? { max } : { max, ttl: lifetime, ttlResolution: 0, perf: { now: () => Date.now() } },
  );

/** Deletes the entries whose value meets a condition, e.g. all of one account. */
export function forgetWhere<Value extends object>(
  cache: LRUCache<string, Value>,
  isPicked: (value: Value) => boolean,
): void {
  cache.forEach((value, key) => {
    if (isPicked(value)) cache.delete(key);
  });
}

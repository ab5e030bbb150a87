import { LRUCache } from 'lru-cache';

/** How many values a cache keeps where it is not told. */
const MAX_KEPT = 10_000;

/**
 * Keeps in memory what can be had again. When it is full, what was used longest ago goes.
 * @param lifetime how long a value is believed, in milliseconds by the clock; null for what does not change
 */
export const makeCache = <Key extends string | number, Value extends object | string | boolean>(
  lifetime: number | null,
  max = MAX_KEPT,
): LRUCache<Key, Value> =>
  new LRUCache(
    // Read at each call, and not once a millisecond: what is believed too long is a fault.
    lifetime === null ? { max } : { max, ttl: lifetime, ttlResolution: 0, perf: { now: () => Date.now() } },
  );

/** Drops what a cache holds of the values that a condition picks, e.g. all of one account. */
export function forgetWhere<Value extends object>(
  cache: LRUCache<string, Value>,
  isPicked: (value: Value) => boolean,
): void {
  cache.forEach((value, key) => {
    if (isPicked(value)) cache.delete(key);
  });
}

/** How work of a kind is retried. */
export type RetryPolicy = {
  /** Failed attempts after which it is given up. */
  attempts: number;
  /** Milliseconds after the first failure; doubled with each one after it. */
  firstWait: number;
  /** Milliseconds that no wait exceeds before jitter. */
  longestWait: number;
  /** Part by which a wait is made shorter or longer by chance: work that failed together is not retried together. */
  jitter: number;
};

/**
 * Milliseconds until work is tried again.
 * @param failures how often it failed before this time
 * @param chance at least 0 and less than 1
 */
export function backOff({ firstWait, longestWait, jitter }: RetryPolicy, failures: number, chance = Math.random()) {
  return Math.min(longestWait, firstWait * 2 ** failures) * (1 - jitter + 2 * jitter * chance);
}

/** Attempts of one call, the first included. */
const MAX_ATTEMPTS = 3;
const FIRST_DELAY_MS = 400;
/** Where a provider asks for a longer pause, the call fails, and whoever needs it comes back later. */
const MAX_PAUSE_MS = 20_000;
/** Failed calls in a row after which a provider counts as down, and for how long nobody asks it. */
const MAX_FAILURES = 5;
const PAUSE_MS = 30_000;

/** How an attempt failed. */
export type Attempt = {
  /** The HTTP status; null where nothing was answered. */
  status: number | null;
  /** The header Retry-After: seconds, or a date. */
  retryAfter: string | null;
};

/** The pause that a Retry-After asks for, in milliseconds; null where it says nothing readable. */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Milliseconds to wait before the next attempt; null where there is none. What only reads is asked again after any
 * failure of the provider; what writes only after a 429, because then nothing was done. The wait is random, so that
 * many callers don't come back at one moment.
 * @param attempt the attempt that failed, from 1
 */
export function delayAfter(
  attempt: number,
  { status, retryAfter }: Attempt,
  isRead: boolean,
  { now = Date.now(), random = Math.random() } = {},
): number | null {
  if (attempt >= MAX_ATTEMPTS || (!isRead && status !== 429)) return null;
  const spread = Math.round(random * FIRST_DELAY_MS * 2 ** (attempt - 1));
  const asked = readRetryAfter(retryAfter, now);
  if (asked === null) return spread;
  return asked > MAX_PAUSE_MS ? null : asked + spread;
}

/**
 * Stops calls to a provider that is down: after five failed calls in a row none is made for half a minute, then one
 * tries.
 */
export function makeBreaker(clock: () => number = Date.now) {
  let failures = 0;
  let closedUntil = 0;
  return {
    /** Whether a call may be made; the one that tries again after a pause holds back all others. */
    lets(): boolean {
      if (failures < MAX_FAILURES) return true;
      if (clock() < closedUntil) return false;
      closedUntil = clock() + PAUSE_MS;
      return true;
    },
    note(isUp: boolean): void {
      failures = isUp ? 0 : failures + 1;
      if (failures >= MAX_FAILURES) closedUntil = clock() + PAUSE_MS;
    },
  };
}

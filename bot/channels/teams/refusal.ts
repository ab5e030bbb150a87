import type { Refusal } from '../../engine/delivery/channel.ts';

/** What Teams may ask to be tried again (facts of the platform): too fast, or not there for a moment. */
const PASSING = new Set([408, 412, 429, 500, 502, 503, 504]);
/** An access that ran out is renewed and tried once more. */
const RENEWABLE = 401;
/** The app was removed, or the conversation is no more. */
const GONE = new Set([403, 404]);
/** First wait of what passes by itself, in seconds, spread so that many that failed together don't come back together. */
const WAIT_SECONDS = 1;

/** A call that Teams did not take. */
export class TeamsRefusal extends Error implements Refusal {
  readonly status: number;
  readonly retryAfter?: number;
  readonly permanent: boolean;

  constructor(status: number, retryAfterSeconds: number | null, options: { cause?: unknown } = {}) {
    super(`Teams answered ${status}.`, options);
    this.name = 'TeamsRefusal';
    this.status = status;
    this.permanent = !PASSING.has(status) && status !== RENEWABLE;
    if (retryAfterSeconds !== null) this.retryAfter = retryAfterSeconds + Math.random() * WAIT_SECONDS;
  }

  /** Whether the conversation can't be reached any more. */
  get gone(): boolean {
    return GONE.has(this.status);
  }
}

/** Seconds that a Retry-After header asks for; null where there is none that can be read. */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | null {
  if (!header) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}

import type { Refusal } from '../../../engine/delivery/channel.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';

/** What Teams may ask to be tried again (docs/platforms.md): too fast, or not there for a moment. */
const PASSING = new Set([408, 412, 429, 500, 502, 503, 504]);
/** An access that ran out is renewed and tried once more. */
const RENEWABLE = 401;
/** Refused for good, which says that a conversation is over only by one of these codes, or by none at all. */
const REFUSED = new Set([403, 404]);
const GONE = new Set([
  'BotNotInConversationRoster',
  'ConversationNotFound',
  'ConversationBlockedByUser',
  'MessageWritesBlocked',
]);
/** First wait of what passes by itself, in seconds, spread so that many that failed together don't come back together. */
const WAIT_SECONDS = 1;

/** What Teams answered to a call that it did not take; thrown as `refusalFor` makes it. */
export class TeamsRefusal extends Error implements Refusal {
  /** The status of the answer; not named as libraries name theirs, so that it is never taken for the caller's fault. */
  readonly answered: number;
  /** The platform's code and words, where it gave any. */
  readonly code: string | null;
  readonly words: string;
  readonly retryAfter?: number;

  constructor(
    answered: number,
    retryAfterSeconds: number | null,
    { code = null, words = '', ...options }: { cause?: unknown; code?: string | null; words?: string } = {},
  ) {
    super(`Teams answered ${answered}${code ? ` (${code})` : ''}.`, options);
    this.name = 'TeamsRefusal';
    this.answered = answered;
    this.code = code;
    this.words = words;
    if (retryAfterSeconds !== null) this.retryAfter = retryAfterSeconds + Math.random() * WAIT_SECONDS;
  }

  /** Whether, where something was sent, the conversation can't be reached any more. */
  get gone(): boolean {
    return REFUSED.has(this.answered) && (this.code === null || GONE.has(this.code));
  }
}

/** The error to throw for an answer: the refusal, inside a PermanentError where another try does not change it. */
export function refusalFor(...answered: ConstructorParameters<typeof TeamsRefusal>): TeamsRefusal | PermanentError {
  const refusal = new TeamsRefusal(...answered);
  const isPassing = PASSING.has(refusal.answered) || refusal.answered === RENEWABLE;
  return isPassing ? refusal : new PermanentError(refusal.message, { cause: refusal });
}

/** What Teams answered, where that is what went wrong; null for any other error. */
export function refusalOf(error: unknown): TeamsRefusal | null {
  const refusal = error instanceof PermanentError ? error.cause : error;
  return refusal instanceof TeamsRefusal ? refusal : null;
}

/** Seconds that a Retry-After header asks for; null where there is none that can be read. */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | null {
  if (!header) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}

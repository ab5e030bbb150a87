import type { Refusal } from '../../../engine/delivery/channel.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';

/** Statuses that Teams asks to retry (docs/platforms.md): rate limits and short outages. */
const RETRYABLE = new Set([408, 412, 429, 500, 502, 503, 504]);
/** The token is renewed and the call repeated once. */
const TOKEN_EXPIRED = 401;
/** 403 and 404 mean "conversation gone" only with one of these codes, or with none. */
const REFUSED_STATUSES = new Set([403, 404]);
const GONE_CODES = new Set([
  'BotNotInConversationRoster',
  'ConversationNotFound',
  'ConversationBlockedByUser',
  'MessageWritesBlocked',
]);
/** Added at random to a Retry-After, so that calls that failed together are not repeated together. */
const MAX_JITTER_SECONDS = 1;

/** The error response of Teams to a call; thrown by way of {@link refusalFor}. */
export class TeamsRefusal extends Error implements Refusal {
  /** The HTTP status. Not named `status`, so that no error handler takes it for the status of its own response. */
  readonly answered: number;
  /** The platform's error code and text, if any. */
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
    if (retryAfterSeconds !== null) this.retryAfter = retryAfterSeconds + Math.random() * MAX_JITTER_SECONDS;
  }

  /** Whether a refused message means that the conversation is gone. */
  get isGone(): boolean {
    return REFUSED_STATUSES.has(this.answered) && (this.code === null || GONE_CODES.has(this.code));
  }
}

/** The error to throw for a response: a refusal, wrapped in a PermanentError where a retry is useless. */
export function refusalFor(...answered: ConstructorParameters<typeof TeamsRefusal>): TeamsRefusal | PermanentError {
  const refusal = new TeamsRefusal(...answered);
  const isRetryable = RETRYABLE.has(refusal.answered) || refusal.answered === TOKEN_EXPIRED;
  return isRetryable ? refusal : new PermanentError(refusal.message, { cause: refusal });
}

/** The refusal behind an error; null for any other error. */
export function refusalOf(error: unknown): TeamsRefusal | null {
  const refusal = error instanceof PermanentError ? error.cause : error;
  return refusal instanceof TeamsRefusal ? refusal : null;
}

/** The seconds of a Retry-After header; null where it is missing or unreadable. */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | null {
  if (!header) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}

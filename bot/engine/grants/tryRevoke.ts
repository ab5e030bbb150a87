import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';

/** Time that a provider has to revoke an access. */
const REVOCATION_MS = 15_000 * env.PATIENCE_FACTOR;

/** Revokes an access at its provider; stops when the signal aborts. */
type Revocation = (signal: AbortSignal) => Promise<void>;

/**
 * Revokes an access, best effort: a failure is logged and never keeps the tokens from being deleted.
 * @param about who and what, for the log; never a token
 * @returns whether the provider confirmed the revocation in time
 */
export async function tryRevoke(
  revoke: Revocation,
  about: { account: number; service: string },
  limitMs = REVOCATION_MS,
): Promise<boolean> {
  const signal = AbortSignal.timeout(limitMs);
  const isLate = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    await Promise.race([revoke(signal), isLate]);
    return true;
  } catch (error) {
    logger.warn({ ...about, what: (error as Error).message }, 'a provider did not revoke the access');
    return false;
  }
}

import { logger } from '../../../models/logger.ts';
import { addHits, type Counted, forgetHits, readHits } from './countHits.ts';

/** The share of a limit that a process may count before the others see it: a call in every twenty. */
const UNSEEN_SHARE = 20;

/** Calls in the window of a caller, and when it ends. */
type Info = { totalHits: number; resetTime: Date };

/** Counts of one rate by caller, as `express-rate-limit` takes them. */
export type SharedCounts = {
  /** Tells the callers of this rate from those of others. */
  prefix: string;
  get(key: string): Promise<Info | undefined>;
  increment(key: string): Promise<Info>;
  decrement(key: string): Promise<void>;
  resetKey(key: string): Promise<void>;
};

/** What this process knows of a key: what the store had, and its own calls since. */
type Known = Counted & { unseen: number };

/**
 * Counts calls over all processes. Limits below forty are counted in the store call by call; of larger ones each process
 * tells the others after every twentieth part of the limit, so that a caller gets at most 5 % more for each further
 * process. While the store is away a process counts alone.
 * @param name of the rate
 * @param limit calls in a window
 * @param windowMs from a caller's first call
 */
export function makeSharedCounts(name: string, limit: number, windowMs: number): SharedCounts {
  const mostUnseen = Math.max(1, Math.floor(limit / UNSEEN_SHARE));
  const known = new Map<string, Known>();
  let forgetAt = Date.now() + windowMs;

  function forgetEnded(now: number): void {
    if (now < forgetAt) return;
    for (const [key, { resetAt }] of known) if (resetAt.getTime() <= now) known.delete(key);
    forgetAt = now + windowMs;
  }

  function current(key: string): Known {
    const now = Date.now();
    forgetEnded(now);
    const before = known.get(key);
    if (before && before.resetAt.getTime() > now) return before;
    const begun = { hits: 0, unseen: 0, resetAt: new Date(now + windowMs) };
    known.set(key, begun);
    return begun;
  }

  const infoOf = ({ hits, resetAt }: Counted): Info => ({ totalHits: hits, resetTime: resetAt });

  /** Counts a call, or one less, and tells the other processes where it is time to. */
  async function count(key: string, calls: 1 | -1): Promise<Counted> {
    const one = current(key);
    one.unseen += calls;
    if (Math.abs(one.unseen) < mostUnseen) return { hits: one.hits + one.unseen, resetAt: one.resetAt };
    const told = one.unseen;
    one.unseen = 0;
    try {
      const counted = await addHits(`${name} ${key}`, told, one.resetAt);
      Object.assign(one, counted);
      return { hits: counted.hits + one.unseen, resetAt: counted.resetAt };
    } catch (error) {
      logger.warn({ err: error, rate: name }, 'calls were counted in this process alone');
      one.hits += told;
      return { hits: one.hits + one.unseen, resetAt: one.resetAt };
    }
  }

  return {
    prefix: `${name} `,
    increment: async (key) => infoOf(await count(key, 1)),
    async decrement(key) {
      await count(key, -1);
    },
    async get(key) {
      const one = current(key);
      const counted = await readHits(`${name} ${key}`).catch((error: unknown) => {
        logger.warn({ err: error, rate: name }, 'only the calls of this process are known');
        return one;
      });
      const hits = (counted?.hits ?? 0) + one.unseen;
      return hits > 0 ? infoOf({ hits, resetAt: counted?.resetAt ?? one.resetAt }) : undefined;
    },
    async resetKey(key) {
      known.delete(key);
      await forgetHits(`${name} ${key}`);
    },
  };
}

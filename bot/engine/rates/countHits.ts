import { createHash } from 'node:crypto';
import { RateCount } from '../../../models/rateCount.ts';

const idOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** What counts now: calls, and when their window ends. */
export type Counted = { hits: number; resetAt: Date };

const isDuplicate = (error: unknown) => (error as { code?: unknown }).code === 11000;

/**
 * Adds calls to the current window of a key, or begins one.
 * @param hits may be negative, for calls that turn out not to count
 * @param resetAt the end of a window that begins now
 * @returns what counts with them
 */
export async function addHits(key: string, hits: number, resetAt: Date, now = new Date()): Promise<Counted> {
  const _id = idOf(key);
  const current = { _id, resetAt: { $gt: now } };
  const options = { returnDocument: 'after' } as const;
  const added = await RateCount.findOneAndUpdate(current, { $inc: { hits } }, options).lean();
  if (added) return { hits: added.hits, resetAt: added.resetAt };
  const begun = { hits: Math.max(0, hits), resetAt };
  try {
    await RateCount.findOneAndUpdate({ _id, resetAt: { $lte: now } }, { $set: begun }, { upsert: true });
    return begun;
  } catch (error) {
    // Another process began the window in between.
    if (isDuplicate(error)) return addHits(key, hits, resetAt, now);
    throw error;
  }
}

/** What counts for a key now; null where nothing does. */
export async function readHits(key: string, now = new Date()): Promise<Counted | null> {
  const row = await RateCount.findOne({ _id: idOf(key), resetAt: { $gt: now } }).lean();
  return row && { hits: row.hits, resetAt: row.resetAt };
}

/** Forgets what counts for a key. */
export async function forgetHits(key: string): Promise<void> {
  await RateCount.deleteOne({ _id: idOf(key) });
}

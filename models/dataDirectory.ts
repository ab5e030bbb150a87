import { existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCounted } from './counter.ts';
import { env } from './env.ts';
import { logger } from './logger.ts';
import { hasOwnKeys } from './secrets.ts';

/** The data directory lost data or keys since the last start. The message is for the operator of the server. */
class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** Marker file next to the store: its existence means that data has been kept here, its content since when. */
const marker = () => join(env.DATA_DIR, 'begun');
let isMarked = false;

/** Creates the marker file: from here on an empty store means data loss. Never throws. */
export function markDataDirectory(): void {
  if (isMarked || env.MONGODB_URI) return;
  try {
    mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
    if (!existsSync(marker())) writeFileSync(marker(), `${new Date().toISOString()}\n`, { mode: 0o600 });
    isMarked = true;
  } catch (error) {
    logger.warn({ err: error }, 'the data directory could not be marked');
  }
}

/**
 * Compares the embedded store with the marker file and the keys, before anything is written.
 * @throws DataDirectoryError where the store was emptied or the keys are missing
 */
export async function checkDataDirectory(): Promise<void> {
  const holdsData = await hasCounted('user');
  if (!holdsData && existsSync(marker())) {
    const since = readFileSync(marker(), 'utf8').trim();
    throw new DataDirectoryError(
      `The store in ${join(env.DATA_DIR, 'store')} is empty, but data has been kept there since ${since}. ` +
        `Put the directory back, or read a copy back with: rm ${marker()} && npm run restore -- FILE. ` +
        `To begin anew without the data, delete ${marker()}. Nothing was changed.`,
    );
  }
  if (!holdsData) return;
  if (!hasOwnKeys()) {
    throw new DataDirectoryError(
      `${join(env.DATA_DIR, 'keys.json')} is missing, and the store beside it holds data that only its keys open. ` +
        'Put the file back. If it is lost for good, set SESSION_SECRET (32 characters or more) and ENCRYPTION_KEY ' +
        '(openssl rand -hex 32): everybody signs in again, and Slack and Teams are connected again. Nothing was changed.',
    );
  }
  markDataDirectory();
}

/** The embedded store refuses writes when less is free (`storage/engine.ts`). */
const MIN_FREE_BYTES = 8 * 1024 * 1024;

/** Whether the disk of the embedded store has room for more data; always true with MONGODB_URI. */
export function hasRoom(): boolean {
  if (env.MONGODB_URI) return true;
  try {
    const { bavail, bsize } = statfsSync(env.DATA_DIR);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    // The directory does not exist yet: the first write creates it.
    return true;
  }
}

import { existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCounted } from './counter.ts';
import { env } from './env.ts';
import { logger } from './logger.ts';
import { hasOwnKeys } from './secrets.ts';

/** The data directory is not as the last start left it; its message is for whoever runs the server. */
class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** Says, beside the store and apart from it, that somebody's data was kept here, and since when. */
const marker = () => join(env.DATA_DIR, 'begun');
let isMarked = false;

/** Notes that the embedded store now holds somebody's data: an empty one is a loss from here on. Never throws. */
export function noteBegun(): void {
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
 * Holds the embedded store against what was kept beside it, before anything is written.
 * @throws DataDirectoryError where the store was emptied or the keys are gone
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
  noteBegun();
}

/** With less than this the embedded store is about to refuse what it is given. */
const MIN_FREE_BYTES = 8 * 1024 * 1024;

/** Whether there is room for more data; always where a MongoDB keeps it. */
export function hasRoom(): boolean {
  if (env.MONGODB_URI) return true;
  try {
    const { bavail, bsize } = statfsSync(env.DATA_DIR);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    // Not there yet: the first write makes it.
    return true;
  }
}

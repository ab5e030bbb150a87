import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { env } from './env.ts';

const kept = z.object({ sessionSecret: z.string().min(32), encryptionKey: z.string().regex(/^[0-9a-f]{64}$/) });
type Secrets = z.infer<typeof kept>;

const keyFile = () => join(env.DATA_DIR, 'keys.json');

/** Whether the keys exist, in the environment or in the data directory; otherwise they would be generated. */
export const hasOwnKeys = (): boolean => Boolean(env.SESSION_SECRET && env.ENCRYPTION_KEY) || existsSync(keyFile());

/**
 * Writes `keys.json` atomically: a killed process leaves no partial file.
 * @returns false where the file exists: keys are never overwritten, because they decrypt the stored secrets
 */
export function keepKeys(keys: Record<string, string>): boolean {
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
  const part = `${keyFile()}.${process.pid}.part`;
  try {
    writeFileSync(part, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
    linkSync(part, keyFile());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(part, { force: true });
  }
}

/** @throws StoreError with a message for the operator where the file is damaged */
function readKept(): Secrets {
  try {
    return kept.parse(JSON.parse(readFileSync(keyFile(), 'utf8')));
  } catch {
    const message = `${keyFile()} is damaged. Nothing was changed. Put it back from a copy: without its keys what was encrypted, such as the channels’ tokens, can’t be read again.`;
    throw Object.assign(new Error(message), { name: 'StoreError' });
  }
}

/**
 * The session secret and the key for secrets at rest: from the environment, else from `keys.json` in the data
 * directory, which is made (mode 0600) on the first start with the embedded store.
 */
export function loadSecrets(): Secrets {
  if (env.SESSION_SECRET && env.ENCRYPTION_KEY) {
    return { sessionSecret: env.SESSION_SECRET, encryptionKey: env.ENCRYPTION_KEY };
  }
  if (!existsSync(keyFile())) {
    // If another process writes the file first, its keys are used.
    keepKeys({
      sessionSecret: randomBytes(48).toString('base64url'),
      encryptionKey: randomBytes(32).toString('hex'),
    });
  }
  const read = readKept();
  return {
    sessionSecret: env.SESSION_SECRET || read.sessionSecret,
    encryptionKey: env.ENCRYPTION_KEY || read.encryptionKey,
  };
}

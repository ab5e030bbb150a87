// Whether dist is as new as its sources, and the lock under which one process at a time builds it.
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const SOURCES = [
  'api',
  'bot',
  'jobs',
  'models',
  'manifests',
  'web',
  'build.mjs',
  'buildState.mjs',
  'vite.config.ts',
  'package.json',
];
export const STAMP = join(root, 'dist', '.built');
const LOCK = join(root, '.cache', 'build.lock');

/** The holder of the lock renews it this often; one that is older than the second has no living holder. */
const RENEW_MS = 1000;
const STALE_MS = 60_000;

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

/** Whether dist was built after the last change of anything that it is built from. */
export function isCurrent() {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((source) => newest(join(root, source)) <= built);
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Who holds the lock in a file: a process id; null where nobody does, or its holder was ended. */
function readHolder(file = LOCK) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    const age = Date.now() - statSync(file).mtimeMs;
    // A process id is given out again: the holder's renewals say that it is still the one that builds.
    return isRunning(pid) && age < STALE_MS ? pid : null;
  } catch {
    return null;
  }
}

/** Puts a file in place of the lock, with its content, where there is none. @returns whether there was none */
function link(file) {
  try {
    linkSync(file, LOCK);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Takes the lock where nobody holds it. @returns whether it is ours */
function takeLock() {
  const mine = `${LOCK}.${process.pid}`;
  try {
    writeFileSync(mine, String(process.pid));
    if (link(mine)) return true;
    if (readHolder() !== null) return false;
    renameSync(LOCK, mine);
    // Between the look and the move another process may have taken it: then it gets it back.
    if (readHolder(mine) !== null) link(mine);
    return false;
  } catch (error) {
    // Another process moved the lock without a holder away first.
    if (error.code !== 'ENOENT') throw error;
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Does work while no other process does the same for this checkout. Who has to wait says so once; a lock whose holder
 * was ended is taken over at once.
 */
export async function underBuildLock(work) {
  mkdirSync(dirname(LOCK), { recursive: true });
  for (let said = false; !takeLock(); ) {
    const holder = readHolder();
    if (holder !== null && !said) {
      console.log(`Another process (${holder}) is building. Waiting for it …`);
      said = true;
    }
    if (holder !== null) await wait(200);
  }
  const renewal = setInterval(() => utimesSync(LOCK, new Date(), new Date()), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    rmSync(LOCK, { force: true });
  }
}

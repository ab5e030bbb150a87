import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2_000_000_000;
const SCRATCH_NAME = /^arc-tests-(\d+)-/;

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/**
 * Creates a directory for everything that tests write, in memory if there is room, and removes those of runs that have
 * ended.
 */
export function makeScratch() {
  let place = tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize > MIN_FREE_BYTES) place = MEMORY;
  } catch {
    // This system has no file system in memory.
  }
  for (const name of readdirSync(place)) {
    const [, pid] = SCRATCH_NAME.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(place, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(place, `arc-tests-${process.pid}-`));
}

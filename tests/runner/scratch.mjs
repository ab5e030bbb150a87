import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2_000_000_000;
const OURS = /^arc-tests-(\d+)-/;

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** A fresh directory for whatever tests write, in memory where there is room; what ended runs have left is removed. */
export function makeScratch() {
  let place = tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize > ENOUGH_BYTES) place = MEMORY;
  } catch {
    // No file system in memory here.
  }
  for (const name of readdirSync(place)) {
    const [, pid] = OURS.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(place, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(place, `arc-tests-${process.pid}-`));
}

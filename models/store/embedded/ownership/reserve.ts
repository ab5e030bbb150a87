import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/*
 * lmdb maps its lock file into memory, and the system ends a process (SIGBUS) that writes to a mapped page for which the
 * disk has no room. So a piece of the disk is kept beside the store, is given back while it is opened, and is taken again.
 */

const RESERVED_BYTES = 1024 * 1024;
const STEP_BYTES = 16 * 1024;
/** What opening takes at most: two lock files, and the claim's next pages. */
const NEEDED_BYTES = 128 * 1024;

const reserveOf = (directory: string) => join(directory, 'reserve');

/**
 * Frees the reserve on the disk.
 * @throws where even then there is no room to open the store
 */
export function giveReserve(directory: string): void {
  rmSync(reserveOf(directory), { force: true });
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < NEEDED_BYTES)
    throw new Error(`The disk that holds ${directory} is full. Free some space and start again. Nothing was changed.`);
}

/** Allocates the reserve again, or as much of it as the disk has. */
export function takeReserve(directory: string): void {
  try {
    const file = openSync(reserveOf(directory), 'w', 0o600);
    try {
      for (let taken = 0; taken < RESERVED_BYTES; taken += STEP_BYTES) writeSync(file, Buffer.alloc(STEP_BYTES, 1));
    } finally {
      closeSync(file);
    }
  } catch {
    // Use as much as there is.
  }
}

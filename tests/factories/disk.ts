import { tmpdir } from 'node:os';

/** Where a real disk is written to: for what is said of disks, and of what outlives a process there. */
export const disk = (): string => process.env.TEST_DISK ?? tmpdir();

import { tmpdir } from 'node:os';

/** A directory on a real disk, for tests of disk behaviour and of data that must outlive a process. */
export const disk = (): string => process.env.TEST_DISK ?? tmpdir();

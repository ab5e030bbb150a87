import { readFileSync } from 'node:fs';

type WithThreadUsage = { threadCpuUsage?: () => { user: number; system: number } };

/** On Linux: nanoseconds of the calling thread. */
const LINUX = '/proc/thread-self/schedstat';

function readLinux(): number | null {
  try {
    const nanoseconds = Number(readFileSync(LINUX, 'latin1').split(' ')[0]);
    return nanoseconds > 0 ? nanoseconds / 1e6 : null;
  } catch {
    return null;
  }
}

const { threadCpuUsage } = process as WithThreadUsage;
const onLinux = threadCpuUsage ? false : readLinux() !== null;

/**
 * Milliseconds of processor time that this thread has used. Where neither Node (from 23.9) nor the system reports it,
 * elapsed time: on a busy machine a file is then refused somewhat sooner.
 */
export function threadMilliseconds(): number {
  if (threadCpuUsage) {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  }
  return (onLinux ? readLinux() : null) ?? performance.now();
}

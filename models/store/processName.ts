import { hostname } from 'node:os';

/** This process in leases: host, process id, and a random suffix per start. */
export const processName = `${hostname()}:${process.pid}:${Math.random().toString(36).slice(2, 8)}`;

/**
 * Whether a lease's owner is certainly dead: a process of this host that no longer exists. A restart then continues at
 * once; other owners keep their lease until it expires.
 */
export function isDeadOwner(owner: string): boolean {
  const [host, pid] = owner.split(':');
  if (owner === processName || host !== hostname()) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

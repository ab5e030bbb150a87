import { logger } from '../logger.ts';

/** The kinds of work that are retried at a set time; each has its own sweep. */
export type Swept = 'consequences' | 'runs' | 'turns' | 'deliveries' | 'syncs' | 'exports' | 'handovers';

/** Later times are left to the regular sweep. */
const MAX_TIMER_MS = 60 * 60_000;
/** Added to the time, so that the store's comparison finds it due. */
const MARGIN_MS = 20;

let sweeps: Partial<Record<Swept, () => Promise<unknown>>> = {};
/** Times within this window share one sweep. */
const WINDOW_MS = 100;
const timers = new Map<string, NodeJS.Timeout>();

/**
 * Enables timers for retries scheduled in this process. Without them, and for retries of other processes, the regular
 * sweep applies.
 * @returns a function that stops them
 */
export function startSweepTimers(by: Partial<Record<Swept, () => Promise<unknown>>>): () => void {
  sweeps = by;
  return () => {
    sweeps = {};
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
}

/** Sweeps at once where this process carries work on: another process has stored some. */
export function sweepNow(kind: Swept): void {
  sweeps[kind]?.().catch((error: unknown) => logger.error({ err: error, sweep: kind }, 'sweep failed'));
}

/** Schedules a sweep for the time at which something is due. */
export function scheduleSweep(kind: Swept, due: Date): void {
  const at = Math.ceil((due.getTime() + MARGIN_MS) / WINDOW_MS) * WINDOW_MS;
  const wait = Math.max(0, at - Date.now());
  const key = `${kind}:${at}`;
  if (!sweeps[kind] || wait > MAX_TIMER_MS || timers.has(key)) return;
  const sweep = () => {
    timers.delete(key);
    sweeps[kind]?.().catch((error: unknown) => logger.error({ err: error, sweep: kind }, 'sweep failed'));
  };
  timers.set(key, setTimeout(sweep, wait).unref());
}

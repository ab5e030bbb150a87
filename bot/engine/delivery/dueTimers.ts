import { logger } from '../../../models/logger.ts';

/** What may be put off to a later time, each with a sweep of its own. */
export type Swept = 'consequences' | 'runs' | 'turns' | 'deliveries';

/** A timer longer than this is left to the regular sweep. */
const LONGEST_MILLISECONDS = 60 * 60_000;
/** A little after its time, so that the store's comparison finds it due. */
const LATER_MILLISECONDS = 20;

let sweeps: Partial<Record<Swept, () => Promise<unknown>>> = {};
/** What is due within so short a time of each other is tried by one sweep. */
const TOGETHER_MILLISECONDS = 100;
const timers = new Map<string, NodeJS.Timeout>();

/**
 * Lets what is put off in this process be tried at its time. Without it, and for what another process has put off, the
 * regular sweep is the net.
 * @returns how to stop
 */
export function startDueTimers(by: Record<Swept, () => Promise<unknown>>): () => void {
  sweeps = by;
  return () => {
    sweeps = {};
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
}

/** Sets a timer for the time at which something is due. */
export function wakeAt(kind: Swept, due: Date): void {
  const at = Math.ceil((due.getTime() + LATER_MILLISECONDS) / TOGETHER_MILLISECONDS) * TOGETHER_MILLISECONDS;
  const wait = Math.max(0, at - Date.now());
  const key = `${kind}:${at}`;
  if (!sweeps[kind] || wait > LONGEST_MILLISECONDS || timers.has(key)) return;
  const sweep = () => {
    timers.delete(key);
    sweeps[kind]?.().catch((error: unknown) => logger.error({ err: error, sweep: kind }, 'sweep failed'));
  };
  timers.set(key, setTimeout(sweep, wait).unref());
}

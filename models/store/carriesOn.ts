import { EventEmitter } from 'node:events';
import { env } from '../env.ts';
import type { Swept } from './dueTimers.ts';

/** Whether this process carries work on. A web process stores it, serves and pushes; workers carry it on. */
export const carriesOn = env.ROLE !== 'web';

/** What this process says to others about work; `signals.ts` publishes it. */
export const woken = new EventEmitter<{
  /** Work of this kind is due for workers. */
  wake: [Swept];
  /** A row that another process works on was cancelled. */
  cancelled: [kind: Swept, row: string];
}>();

/** Emits the rows that other processes have cancelled, by their kind of work. */
export const cancelledElsewhere = new EventEmitter<Record<Swept, [row: string]>>();
// Each kind listens, in tests several times.
cancelledElsewhere.setMaxListeners(0);

/** Tells the process that works on a row that it was cancelled. */
export function tellHolder(kind: Swept, row: string): void {
  woken.emit('cancelled', kind, row);
}

/** Tells workers that work of a kind is due now. */
export function wakeWorkers(kind: Swept): void {
  woken.emit('wake', kind);
}

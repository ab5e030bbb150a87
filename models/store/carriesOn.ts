import { EventEmitter } from 'node:events';
import { env } from '../env.ts';
import type { Swept } from './dueTimers.ts';

/** Whether this process carries work on. A web process stores it, serves and pushes; workers carry it on. */
export const carriesOn = env.ROLE !== 'web';

/** Emits kinds of work that this process has stored for workers; `signals.ts` tells them. */
export const woken = new EventEmitter<{ wake: [Swept] }>();

/** Tells workers that work of a kind is due now. */
export function wakeWorkers(kind: Swept): void {
  woken.emit('wake', kind);
}

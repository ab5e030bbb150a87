import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../../models/workers.ts';
import { HazardFileError } from './errors.ts';

/** How many worker threads there may be, how long an idle one stays, and how much memory each may use. */
export const SEAT_LIMITS = { workers: 2, idleMilliseconds: 60_000, memoryMegabytes: 640 };

/** A worker thread and the job that it has, if any. */
export type Seat = { worker: Worker; idleTimer: NodeJS.Timeout | null; fail: ((error: Error) => void) | null };

const all = new Set<Seat>();
const idle: Seat[] = [];
const waiting: { resolve: (seat: Seat) => void; leave: () => void }[] = [];

function makeSeat(): Seat {
  const worker = startWorker('hazards', {
    resourceLimits: { maxOldGenerationSizeMb: SEAT_LIMITS.memoryMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  const seat: Seat = { worker, idleTimer: null, fail: null };
  all.add(seat);
  worker.on('error', (error) => {
    dropSeat(seat);
    seat.fail?.(translateCrash(error));
  });
  worker.on('exit', () => {
    dropSeat(seat);
    seat.fail?.(new HazardFileError('worker_failed', 'The analysis stopped before it was done. Please try again.'));
  });
  return seat;
}

function translateCrash(error: unknown): HazardFileError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new HazardFileError(
      'out_of_memory',
      'This file needs more memory than one analysis may use. Save the hazard log sheet on its own and try again.',
    );
  return new HazardFileError('worker_failed', 'The analysis stopped before it was done. Please try again.');
}

/** Takes a seat out of the pool, once, however it ended; the next one in line gets a new one. */
export function dropSeat(seat: Seat): void {
  if (!all.delete(seat)) return;
  if (seat.idleTimer) clearTimeout(seat.idleTimer);
  const at = idle.indexOf(seat);
  if (at >= 0) idle.splice(at, 1);
  waiting.shift()?.resolve(makeSeat());
}

/** A free thread, a new one while there may be more, else the next that becomes free. */
export function takeSeat(signal: AbortSignal | undefined): Promise<Seat> {
  const free = idle.pop();
  if (free) {
    if (free.idleTimer) clearTimeout(free.idleTimer);
    free.idleTimer = null;
    return Promise.resolve(free);
  }
  if (all.size < SEAT_LIMITS.workers) return Promise.resolve(makeSeat());
  return new Promise((resolve, reject) => {
    const leaveLine = () => {
      const at = waiting.indexOf(place);
      if (at >= 0) waiting.splice(at, 1);
      reject(cancelled());
    };
    const place = {
      leave: leaveLine,
      resolve: (seat: Seat) => {
        signal?.removeEventListener('abort', leaveLine);
        resolve(seat);
      },
    };
    waiting.push(place);
    signal?.addEventListener('abort', leaveLine, { once: true });
  });
}

/** Gives a thread back after its job: to the next in line, else it waits a while and ends. */
export function giveBack(seat: Seat): void {
  if (!all.has(seat)) return;
  const next = waiting.shift();
  if (next) {
    next.resolve(seat);
    return;
  }
  seat.worker.unref();
  idle.push(seat);
  seat.idleTimer = setTimeout(() => endSeat(seat), SEAT_LIMITS.idleMilliseconds);
  seat.idleTimer.unref();
}

/** Ends a thread at once, whatever it is doing. It leaves the pool first, so that nobody is given a thread that ends. */
export function endSeat(seat: Seat): Promise<number> {
  dropSeat(seat);
  return seat.worker.terminate();
}

/** Ends every thread: for the shutdown of the server and for tests. */
export async function endAllSeats(): Promise<void> {
  for (const { leave } of [...waiting]) leave();
  await Promise.all([...all].map(endSeat));
}

/** The error of a job that was told to stop. */
export function cancelled(): HazardFileError {
  return new HazardFileError('cancelled', 'Cancelled. Nothing was changed.');
}

import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../../../models/workers.ts';
import { HazardFileError } from '../errors.ts';

/**
 * The maximum number of worker threads, of waiting jobs per account, of milliseconds that an idle thread is kept, and
 * of megabytes of memory per thread.
 */
export const SEAT_LIMITS = { workers: 2, waitingEach: 40, idleMilliseconds: 60_000, memoryMegabytes: 640 };

/** Whose jobs share a queue: an account, or the product's own work (the seed, tests). */
export type SeatHolder = number | 'own';

/** A worker thread and its current job, if any. */
export type Seat = {
  worker: Worker;
  /** Ends the thread while it is idle. */
  idleTimer: NodeJS.Timeout | undefined;
  fail: ((error: Error) => void) | null;
  /** Whose job it runs now; null while it is idle. */
  holder: SeatHolder | null;
};

type Waiter = { holder: SeatHolder; resolve: (seat: Seat) => void; leave: () => void };

const all = new Set<Seat>();
const idle: Seat[] = [];
const waiting: Waiter[] = [];
/** When each holder last got a seat, counted in assigned seats. */
const lastAssigned = new Map<SeatHolder, number>();
let assignedCount = 0;

function makeSeat(): Seat {
  const worker = startWorker('clinicalSafety', {
    resourceLimits: { maxOldGenerationSizeMb: SEAT_LIMITS.memoryMegabytes, maxYoungGenerationSizeMb: 32 },
  });
  const seat: Seat = { worker, idleTimer: undefined, fail: null, holder: null };
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
  const { code } = Object(error) as { code?: unknown };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new HazardFileError(
      'out_of_memory',
      'This file needs more memory than one analysis may use. Save the hazard log sheet on its own and try again.',
    );
  return new HazardFileError('worker_failed', 'The analysis stopped before it was done. Please try again.');
}

/** Removes a seat from the pool, once; the next waiter gets a new one. */
export function dropSeat(seat: Seat): void {
  if (!all.delete(seat)) return;
  const at = idle.indexOf(seat);
  if (at >= 0) idle.splice(at, 1);
  const next = takeNext();
  if (next) next.resolve(assign(makeSeat(), next.holder));
}

function assign(seat: Seat, holder: SeatHolder): Seat {
  assignedCount += 1;
  seat.holder = holder;
  lastAssigned.set(holder, assignedCount);
  return seat;
}

/**
 * Removes the next waiter from the queue. Holders take turns: first those with the fewest threads, then those served
 * longest ago, then by arrival. So nobody has a second thread while another waits, and however many files one account
 * sends, another account waits at most for the running jobs.
 */
function takeNext(): Waiter | undefined {
  const held = (holder: SeatHolder) => [...all].filter((seat) => seat.holder === holder).length;
  let best: { at: number; held: number; last: number } | null = null;
  for (const [at, { holder }] of waiting.entries()) {
    const candidate = { at, held: held(holder), last: lastAssigned.get(holder) ?? Number.NEGATIVE_INFINITY };
    if (!best || candidate.held < best.held || (candidate.held === best.held && candidate.last < best.last))
      best = candidate;
  }
  const [next] = best ? waiting.splice(best.at, 1) : [];
  if (waiting.length === 0) lastAssigned.clear();
  return next;
}

/**
 * Claims a thread: an idle one, a new one below the limit, or else one that becomes free at the holder's turn.
 * @throws HazardFileError too_many_waiting, cancelled
 */
export function takeSeat(holder: SeatHolder, signal: AbortSignal | undefined): Promise<Seat> {
  const free = idle.pop();
  if (free) {
    clearTimeout(free.idleTimer);
    return Promise.resolve(assign(free, holder));
  }
  if (all.size < SEAT_LIMITS.workers) return Promise.resolve(assign(makeSeat(), holder));
  if (holder !== 'own' && waiting.filter((waiter) => waiter.holder === holder).length >= SEAT_LIMITS.waitingEach)
    return Promise.reject(
      new HazardFileError(
        'too_many_waiting',
        `${SEAT_LIMITS.waitingEach} files of your company are waiting to be read. Wait until some are done, then send this one again.`,
      ),
    );
  return new Promise((resolve, reject) => {
    const leaveLine = () => {
      const at = waiting.indexOf(place);
      if (at >= 0) waiting.splice(at, 1);
      reject(cancelled());
    };
    const place: Waiter = {
      holder,
      leave: leaveLine,
      resolve: (seat) => {
        signal?.removeEventListener('abort', leaveLine);
        resolve(seat);
      },
    };
    waiting.push(place);
    signal?.addEventListener('abort', leaveLine);
  });
}

/** Releases a thread after its job: to the next waiter, or else it stays idle for a while and then ends. */
export function releaseSeat(seat: Seat): void {
  if (!all.has(seat)) return;
  seat.holder = null;
  const next = takeNext();
  if (next) {
    next.resolve(assign(seat, next.holder));
    return;
  }
  seat.worker.unref();
  idle.push(seat);
  seat.idleTimer = setTimeout(() => endSeat(seat), SEAT_LIMITS.idleMilliseconds);
  seat.idleTimer.unref();
}

/** Terminates a thread at once. It leaves the pool first, so that nobody is assigned an ending thread. */
export function endSeat(seat: Seat): Promise<number> {
  dropSeat(seat);
  return seat.worker.terminate();
}

/** Ends every thread: for the shutdown of the server and for tests. */
export async function endAllSeats(): Promise<void> {
  for (const { leave } of [...waiting]) leave();
  await Promise.all([...all].map(endSeat));
}

/** The error of a cancelled job. */
export function cancelled(): HazardFileError {
  return new HazardFileError('cancelled', 'Cancelled. Nothing was changed.');
}

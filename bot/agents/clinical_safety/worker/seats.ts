import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../../../models/workers.ts';
import { HazardFileError } from '../errors.ts';

/**
 * How many worker threads there may be, how many jobs of one account may wait, how long an idle thread stays, and how
 * much memory each may use.
 */
export const SEAT_LIMITS = { workers: 2, waitingEach: 40, idleMilliseconds: 60_000, memoryMegabytes: 640 };

/** Whose jobs share a line: an account, or our own work (the seed, tests). */
export type SeatHolder = number | 'own';

/** A worker thread and the job that it has, if any. */
export type Seat = {
  worker: Worker;
  /** Ends the thread while it is idle. */
  idleTimer: NodeJS.Timeout | undefined;
  fail: ((error: Error) => void) | null;
  /** Whose job it has now; null while it is idle. */
  holder: SeatHolder | null;
};

type Waiter = { holder: SeatHolder; resolve: (seat: Seat) => void; leave: () => void };

const all = new Set<Seat>();
const idle: Seat[] = [];
const waiting: Waiter[] = [];
/** When each holder that waits or waited was last given a seat, counted in seats given. */
const lastGiven = new Map<SeatHolder, number>();
let given = 0;

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

/** Takes a seat out of the pool, once, however it ended; the next one in line gets a new one. */
export function dropSeat(seat: Seat): void {
  if (!all.delete(seat)) return;
  const at = idle.indexOf(seat);
  if (at >= 0) idle.splice(at, 1);
  const next = takeNext();
  if (next) next.resolve(hand(makeSeat(), next.holder));
}

function hand(seat: Seat, holder: SeatHolder): Seat {
  given += 1;
  seat.holder = holder;
  lastGiven.set(holder, given);
  return seat;
}

/**
 * The next in line. Holders take turns: first who has no thread now, then who was served longest ago, then who came
 * first. So nobody has a second thread while another waits, and however many files one account sends, another's waits
 * for at most what is running.
 */
function takeNext(): Waiter | undefined {
  const held = (holder: SeatHolder) => [...all].filter((seat) => seat.holder === holder).length;
  let best: { at: number; held: number; last: number } | null = null;
  for (const [at, { holder }] of waiting.entries()) {
    const candidate = { at, held: held(holder), last: lastGiven.get(holder) ?? Number.NEGATIVE_INFINITY };
    if (!best || candidate.held < best.held || (candidate.held === best.held && candidate.last < best.last))
      best = candidate;
  }
  const [next] = best ? waiting.splice(best.at, 1) : [];
  if (waiting.length === 0) lastGiven.clear();
  return next;
}

/**
 * A free thread, a new one while there may be more, else the next that becomes free when it is the holder's turn.
 * @throws HazardFileError too_many_waiting, cancelled
 */
export function takeSeat(holder: SeatHolder, signal: AbortSignal | undefined): Promise<Seat> {
  const free = idle.pop();
  if (free) {
    clearTimeout(free.idleTimer);
    return Promise.resolve(hand(free, holder));
  }
  if (all.size < SEAT_LIMITS.workers) return Promise.resolve(hand(makeSeat(), holder));
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

/** Gives a thread back after its job: to the next in line, else it waits a while and ends. */
export function giveBack(seat: Seat): void {
  if (!all.has(seat)) return;
  seat.holder = null;
  const next = takeNext();
  if (next) {
    next.resolve(hand(seat, next.holder));
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

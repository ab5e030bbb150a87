import { afterEach } from '@jest/globals';
import {
  endAllSeats,
  SEAT_LIMITS,
  type Seat,
  type SeatHolder,
  takeSeat,
} from '../../bot/agents/clinical_safety/worker/seats.ts';

/** For a file of tests: after each the limits are as they were, and no thread is left. */
export function restoreSeats(): void {
  const limits = { ...SEAT_LIMITS };
  afterEach(async () => {
    Object.assign(SEAT_LIMITS, limits);
    await endAllSeats();
  });
}

export const take = (holder: SeatHolder, signal?: AbortSignal): Promise<Seat> => takeSeat(holder, signal);
/** Everything that could be done at once is done. */
export const settled = () => new Promise(setImmediate);
export const hasEnded = ({ worker }: Seat) => worker.threadId === -1;

/** Waits in line for a worker thread; says what it was given, or why it was sent away. */
export function waitForSeat(holder: SeatHolder, signal?: AbortSignal) {
  const place: { seat: Seat | null; refused: string | null; done: Promise<void> } = {
    seat: null,
    refused: null,
    done: take(holder, signal).then(
      (seat) => {
        place.seat = seat;
      },
      ({ code }) => {
        place.refused = code;
      },
    ),
  };
  return place;
}

import { afterEach } from '@jest/globals';
import {
  endAllSeats,
  SEAT_LIMITS,
  type Seat,
  type SeatHolder,
  takeSeat,
} from '../../bot/agents/clinical_safety/worker/seats.ts';

/** Restores the seat limits and ends all worker threads after each test of a file. */
export function restoreSeats(): void {
  const limits = { ...SEAT_LIMITS };
  afterEach(async () => {
    Object.assign(SEAT_LIMITS, limits);
    await endAllSeats();
  });
}

export const take = (holder: SeatHolder, signal?: AbortSignal): Promise<Seat> => takeSeat(holder, signal);
/** Waits until all work that can be done immediately is done. */
export const settled = () => new Promise(setImmediate);
export const hasEnded = ({ worker }: Seat) => worker.threadId === -1;

/** Queues for a worker thread, and records the seat or the refusal's code. */
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

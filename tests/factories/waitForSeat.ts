import { type Seat, type SeatHolder, takeSeat } from '../../bot/agents/clinical_safety/worker/seats.ts';

/** Waits in line for a worker thread; says what it was given, or why it was sent away. */
export function waitForSeat(holder: SeatHolder, signal?: AbortSignal) {
  const place: { seat: Seat | null; refused: string | null; done: Promise<void> } = {
    seat: null,
    refused: null,
    done: takeSeat(holder, signal).then(
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

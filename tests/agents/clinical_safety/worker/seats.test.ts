import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { HazardFileError } from '../../../../bot/agents/clinical_safety/errors.ts';
import {
  cancelled,
  dropSeat,
  endAllSeats,
  endSeat,
  giveBack,
  SEAT_LIMITS,
  type Seat,
  type SeatHolder,
  takeSeat,
} from '../../../../bot/agents/clinical_safety/worker/seats.ts';

const LIMITS = { ...SEAT_LIMITS };
afterEach(async () => {
  Object.assign(SEAT_LIMITS, LIMITS);
  await endAllSeats();
});

const take = (holder: SeatHolder, signal?: AbortSignal) => takeSeat(holder, signal);
/** Waits in line; what it was given is told when asked. */
function wait(holder: SeatHolder, signal?: AbortSignal) {
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
const settled = () => new Promise(setImmediate);
const hasEnded = ({ worker }: Seat) => worker.threadId === -1;

test('there are two threads of 640 MB, which stay for a minute, and forty jobs of each account may wait', () => {
  expect(SEAT_LIMITS).toEqual({ workers: 2, waitingEach: 40, idleMilliseconds: 60_000, memoryMegabytes: 640 });
});

describe('a thread', () => {
  test('is given to each of two, and the third waits for one', async () => {
    const [first, second] = [await take(1), await take(2)];
    expect(first).not.toBe(second);
    expect([first.holder, second.holder]).toEqual([1, 2]);
    const third = wait(3);
    await settled();
    expect(third.seat).toBeNull();
    giveBack(second);
    await third.done;
    expect(third.seat).toBe(second);
    expect(second.holder).toBe(3);
  });

  test('that is free is used again, the one that was used last first', async () => {
    const [first, second] = [await take(1), await take(2)];
    giveBack(first);
    giveBack(second);
    expect([first.holder, second.holder]).toEqual([null, null]);
    expect([first.idleTimer?.hasRef(), second.idleTimer?.hasRef()]).toEqual([false, false]);
    expect(await take(3)).toBe(second);
    expect(await take(3)).toBe(first);
    expect([second.holder, second.idleTimer]).toEqual([3, null]);
  });

  test('that nobody needs ends after a while, and one that is needed again does not', async () => {
    SEAT_LIMITS.idleMilliseconds = 20;
    const [first, second] = [await take(1), await take(2)];
    giveBack(first);
    const again = await take(1);
    giveBack(second);
    expect(again).toBe(first);
    await once(second.worker, 'exit');
    expect([hasEnded(first), hasEnded(second)]).toEqual([false, true]);
    expect(await take(2)).not.toBe(second);
  });

  test('that is ended leaves the pool at once, and the next in line gets a new one', async () => {
    const [first] = [await take(1), await take(2)];
    const third = wait(3);
    const ending = endSeat(first);
    await third.done;
    expect(third.seat).not.toBe(first);
    expect(third.seat?.holder).toBe(3);
    await ending;
    expect(hasEnded(first)).toBe(true);
    // Given back or dropped once more, it stays out.
    giveBack(first);
    dropSeat(first);
    const fourth = wait(4);
    await settled();
    expect(fourth.seat).toBeNull();
  });

  test('that is ended while it is free is given to nobody', async () => {
    const first = await take(1);
    giveBack(first);
    await endSeat(first);
    expect(await take(1)).not.toBe(first);
  });

  test.each([
    ['breaks', (seat: Seat) => seat.worker.postMessage(null)],
    ['is gone', (seat: Seat) => void seat.worker.terminate()],
  ])('that %s fails its job, and makes room for another', async (_how, end) => {
    const [first] = [await take(1), await take(2)];
    const third = wait(3);
    const failed = new Promise<Error>((fail) => {
      first.fail = fail;
    });
    end(first);
    expect(await failed).toMatchObject({
      code: 'worker_failed',
      message: 'The analysis stopped before it was done. Please try again.',
    });
    await third.done;
    expect(third.seat).not.toBe(first);
  });
});

describe('who waits', () => {
  test('may leave, and takes no place in line any more', async () => {
    SEAT_LIMITS.waitingEach = 1;
    const [first] = [await take(1), await take(2)];
    const abort = new AbortController();
    const third = wait(3, abort.signal);
    expect(await wait(3).done.then(() => null)).toBeNull();
    abort.abort();
    await third.done;
    expect(third.refused).toBe('cancelled');
    const again = wait(3);
    giveBack(first);
    await again.done;
    expect(again.seat).toBe(first);
  });

  test('is told at how many of one account no more may', async () => {
    SEAT_LIMITS.waitingEach = 2;
    await take(1);
    await take(2);
    const places = [wait(3), wait(3), wait(3)];
    await places[2]?.done;
    expect(places.map(({ refused }) => refused)).toEqual([null, null, 'too_many_waiting']);
    await expect(take(3)).rejects.toMatchObject({
      message: '2 files of your company are waiting to be read. Wait until some are done, then send this one again.',
    });
  });

  test('leaves no more once there is a thread', async () => {
    const [first] = [await take(1), await take(2)];
    const abort = new AbortController();
    const third = wait(3, abort.signal);
    const fourth = wait(4);
    giveBack(first);
    await third.done;
    abort.abort();
    await settled();
    expect([third.seat, third.refused, fourth.refused]).toEqual([first, null, null]);
    giveBack(first);
    await fourth.done;
    expect(fourth.seat).toBe(first);
  });

  test('is sent away when all threads are ended', async () => {
    const seats = [await take(1), await take(2)];
    const places = [wait(3), wait(4)];
    await endAllSeats();
    expect(seats.map(hasEnded)).toEqual([true, true]);
    expect(places.map(({ refused }) => refused)).toEqual(['cancelled', 'cancelled']);
    expect(cancelled()).toEqual(new HazardFileError('cancelled', 'Cancelled. Nothing was changed.'));
  });

  /** Whom one thread is given to, one after the other, while these wait. */
  async function orderOf(seat: Seat, holders: SeatHolder[]): Promise<SeatHolder[]> {
    const given: SeatHolder[] = [];
    const places = holders.map((holder) => take(holder).then(() => given.push(holder)));
    for (const _ of places) {
      giveBack(seat);
      await settled();
    }
    await Promise.all(places);
    return given;
  }

  test.each<[string, SeatHolder[], SeatHolder[]]>([
    ['first who came first', [5, 6, 7], [5, 6, 7]],
    ['first who was not served yet', [5, 5, 6], [5, 6, 5]],
    ['then who was served longest ago', [5, 6, 6, 5], [5, 6, 5, 6]],
    ['then who was served longest ago, our own work too', ['own', 6, 6, 'own'], ['own', 6, 'own', 6]],
    ['last who has a thread all the while', [2, 2, 5, 6], [5, 6, 2, 2]],
  ])('comes in turn: %s', async (_what, holders, order) => {
    const [first] = [await take(1), await take(2)];
    expect(await orderOf(first, holders)).toEqual(order);
  });

  test('has no claim from before the line was empty', async () => {
    const [first] = [await take(1), await take(2)];
    expect(await orderOf(first, [5, 6, 7])).toEqual([5, 6, 7]);
    expect(await orderOf(first, [6, 5])).toEqual([6, 5]);
  });
});

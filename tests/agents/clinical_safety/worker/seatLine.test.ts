import { setMaxListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { HazardFileError } from '../../../../bot/agents/clinical_safety/errors.ts';
import {
  cancelled,
  endAllSeats,
  releaseSeat,
  SEAT_LIMITS,
  type Seat,
  type SeatHolder,
} from '../../../../bot/agents/clinical_safety/worker/seats.ts';
import { hasEnded, restoreSeats, settled, take, waitForSeat } from '../../../factories/seats.ts';

restoreSeats();

describe('a waiting job', () => {
  test('may leave, and then has no place in the queue', async () => {
    SEAT_LIMITS.waitingEach = 1;
    const [first] = [await take(1), await take(2)];
    const abort = new AbortController();
    const third = waitForSeat(3, abort.signal);
    expect(await waitForSeat(3).done.then(() => null)).toBeNull();
    abort.abort();
    await third.done;
    expect(third.refused).toBe('cancelled');
    const again = waitForSeat(3);
    releaseSeat(first);
    await again.done;
    expect(again.seat).toBe(first);
  });

  test('is refused from a maximum per account on', async () => {
    SEAT_LIMITS.waitingEach = 2;
    await take(1);
    await take(2);
    const places = [waitForSeat(3), waitForSeat(3), waitForSeat(3)];
    await places[2]?.done;
    expect(places.map(({ refused }) => refused)).toEqual([null, null, 'too_many_waiting']);
    await expect(take(3)).rejects.toMatchObject({
      message: '2 files of your company are waiting to be read. Wait until some are done, then send this one again.',
    });
  });

  test('can’t leave once it has a thread', async () => {
    const [first] = [await take(1), await take(2)];
    const abort = new AbortController();
    const third = waitForSeat(3, abort.signal);
    const fourth = waitForSeat(4);
    releaseSeat(first);
    await third.done;
    abort.abort();
    await settled();
    expect([third.seat, third.refused, fourth.refused]).toEqual([first, null, null]);
    releaseSeat(first);
    await fourth.done;
    expect(fourth.seat).toBe(first);
  });

  test('leaves the others in the queue when it goes', async () => {
    const [first] = [await take(1), await take(2)];
    const [leaving, alsoLeaving] = [new AbortController(), new AbortController()];
    const places = [waitForSeat(3, leaving.signal), waitForSeat(4), waitForSeat(5, alsoLeaving.signal), waitForSeat(6)];
    leaving.abort();
    alsoLeaving.abort();
    releaseSeat(first);
    await places[1]?.done;
    releaseSeat(first);
    await places[3]?.done;
    expect(places.map(({ seat }) => seat)).toEqual([null, first, null, first]);
    expect(places.map(({ refused }) => refused)).toEqual(['cancelled', null, 'cancelled', null]);
  });

  test('leaves once, even if it is cancelled after its refusal', async () => {
    await take(1);
    await take(2);
    const abort = new AbortController();
    const third = waitForSeat(3, abort.signal);
    await endAllSeats();
    const [first] = [await take(1), await take(2)];
    const fourth = waitForSeat(4);
    abort.abort();
    releaseSeat(first);
    await fourth.done;
    expect([third.refused, fourth.seat]).toEqual(['cancelled', first]);
  });

  test('is refused when all threads are ended', async () => {
    const seats = [await take(1), await take(2)];
    const places = [waitForSeat(3), waitForSeat(4)];
    await endAllSeats();
    expect(seats.map(hasEnded)).toEqual([true, true]);
    expect(places.map(({ refused }) => refused)).toEqual(['cancelled', 'cancelled']);
    expect(cancelled()).toEqual(new HazardFileError('cancelled', 'Cancelled. Nothing was changed.'));
  });

  /** The order in which one thread is given to these waiting jobs. */
  async function orderOf(seat: Seat, holders: SeatHolder[]): Promise<SeatHolder[]> {
    const given: SeatHolder[] = [];
    const places = holders.map((holder) => take(holder).then(() => given.push(holder)));
    for (const _ of places) {
      releaseSeat(seat);
      await settled();
    }
    await Promise.all(places);
    return given;
  }

  test.each<[string, SeatHolder[], SeatHolder[]]>([
    ['the first to come first', [5, 6, 7], [5, 6, 7]],
    ['those not served yet first', [5, 5, 6], [5, 6, 5]],
    ['then those served longest ago', [5, 6, 6, 5], [5, 6, 5, 6]],
    ['then those served longest ago, including Arc’s own work', ['own', 6, 6, 'own'], ['own', 6, 'own', 6]],
    ['those with a thread last', [2, 2, 5, 6], [5, 6, 2, 2]],
  ])('gets its turn: %s', async (_what, holders, order) => {
    const [first] = [await take(1), await take(2)];
    expect(await orderOf(first, holders)).toEqual(order);
  });

  test('has no priority from before the queue was empty', async () => {
    const [first] = [await take(1), await take(2)];
    expect(await orderOf(first, [5, 6, 7])).toEqual([5, 6, 7]);
    expect(await orderOf(first, [6, 5])).toEqual([6, 5]);
  });

  test('of an account with a thread comes after one without, even if it was served longer ago', async () => {
    const [, second] = [await take(1), await take(2)];
    const places = [waitForSeat(1), waitForSeat(3), waitForSeat(2)];
    const seats = async () => {
      releaseSeat(second);
      await settled();
      return places.map(({ seat }) => seat);
    };
    // Account 3 was never served; account 2 was, after account 1, which still has its first thread.
    expect(await seats()).toEqual([null, second, null]);
    expect(await seats()).toEqual([null, second, second]);
    expect(await seats()).toEqual([second, second, second]);
  });

  test('counts towards its account’s maximum only; jobs of Arc itself have none', async () => {
    await take(1);
    await take(2);
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const waits = (holder: SeatHolder, count: number) =>
      Array.from({ length: count }, () =>
        take(holder, abort.signal).then(
          () => 'given',
          ({ code }) => String(code),
        ),
      );
    const { waitingEach } = SEAT_LIMITS;
    const all = [...waits(5, waitingEach), ...waits(6, waitingEach), ...waits('own', waitingEach + 1)];
    expect(await Promise.all(waits(5, 1))).toEqual(['too_many_waiting']);
    expect(await Promise.all(waits(6, 1))).toEqual(['too_many_waiting']);
    abort.abort();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['cancelled']));
  });
});

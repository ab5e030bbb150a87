import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import {
  dropSeat,
  endSeat,
  releaseSeat,
  SEAT_LIMITS,
  type Seat,
} from '../../../../bot/agents/clinical_safety/worker/seats.ts';
import { hasEnded, restoreSeats, settled, take, waitForSeat } from '../../../factories/seats.ts';

restoreSeats();

test('there are two threads of 640 MB that stay for a minute, and forty jobs per account may wait', () => {
  expect(SEAT_LIMITS).toEqual({ workers: 2, waitingEach: 40, idleMilliseconds: 60_000, memoryMegabytes: 640 });
});

describe('a thread', () => {
  test('is given to each of two jobs, and the third waits', async () => {
    const [first, second] = [await take(1), await take(2)];
    expect(first).not.toBe(second);
    expect([first.holder, second.holder]).toEqual([1, 2]);
    const third = waitForSeat(3);
    await settled();
    expect(third.seat).toBeNull();
    releaseSeat(second);
    await third.done;
    expect(third.seat).toBe(second);
    expect(second.holder).toBe(3);
  });

  test('that is free is used again, the most recently used first', async () => {
    const [first, second] = [await take(1), await take(2)];
    releaseSeat(first);
    releaseSeat(second);
    expect([first.holder, second.holder]).toEqual([null, null]);
    expect([first.idleTimer?.hasRef(), second.idleTimer?.hasRef()]).toEqual([false, false]);
    expect(await take(3)).toBe(second);
    expect(await take(3)).toBe(first);
    expect(second.holder).toBe(3);
  });

  test('ends after a while if it is not needed, but not if it is', async () => {
    SEAT_LIMITS.idleMilliseconds = 20;
    const [first, second] = [await take(1), await take(2)];
    releaseSeat(first);
    const again = await take(1);
    releaseSeat(second);
    expect(again).toBe(first);
    await once(second.worker, 'exit');
    expect([hasEnded(first), hasEnded(second)]).toEqual([false, true]);
    expect(await take(2)).not.toBe(second);
  });

  test('that ended leaves the pool at once, and the next job in the queue gets a new one', async () => {
    const [first] = [await take(1), await take(2)];
    const third = waitForSeat(3);
    const ending = endSeat(first);
    await third.done;
    expect(third.seat).not.toBe(first);
    expect(third.seat?.holder).toBe(3);
    await ending;
    expect(hasEnded(first)).toBe(true);
    // Returned or dropped a second time, it stays out.
    releaseSeat(first);
    dropSeat(first);
    const fourth = waitForSeat(4);
    await settled();
    expect(fourth.seat).toBeNull();
  });

  test('that ended while free is not used again, and the other free one is', async () => {
    const [first, second] = [await take(1), await take(2)];
    releaseSeat(first);
    releaseSeat(second);
    await endSeat(first);
    expect(await take(1)).toBe(second);
    expect(await take(1)).not.toBe(first);
  });

  test('that ended while working leaves the free one free', async () => {
    const [first, second] = [await take(1), await take(2)];
    releaseSeat(second);
    await endSeat(first);
    expect(await take(3)).toBe(second);
  });

  test('that is free does not keep the process running', async () => {
    const running = () => process.getActiveResourcesInfo().filter((it) => it === 'MessagePort' || it === 'Timeout');
    const seat = await take(1);
    seat.worker.ref();
    const whileItWorks = running();
    releaseSeat(seat);
    expect(whileItWorks.length - running().length).toBe(1);
  });

  test('may use 640 MB, 32 MB of them for the young generation', async () => {
    const { worker } = await take(1);
    expect(worker.resourceLimits).toMatchObject({ maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 32 });
  });

  test.each([
    ['breaks', (seat: Seat) => seat.worker.postMessage(null)],
    ['is gone', (seat: Seat) => void seat.worker.terminate()],
  ])('that %s fails its job, and makes room for another', async (_how, end) => {
    const [first] = [await take(1), await take(2)];
    const third = waitForSeat(3);
    // The job gives it back at once, as after every job.
    const failed = new Promise<Error>((fail) => {
      first.fail = (error) => {
        releaseSeat(first);
        fail(error);
      };
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

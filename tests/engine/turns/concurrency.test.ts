import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { adjustSlots, runWhenSlotFree } from '../../../bot/engine/turns/concurrency.ts';
import { logger } from '../../../models/logger.ts';

let begun: (() => void)[];
/** Work that runs until it is ended. */
const give = (count: number) =>
  Array.from({ length: count }, () => runWhenSlotFree(() => new Promise<void>((end) => begun.push(end))));
/** Lets time pass, and work that is due at its end start. */
const pass = async (milliseconds = 0) => {
  await jest.advanceTimersByTimeAsync(milliseconds);
  await jest.advanceTimersByTimeAsync(5);
};
const end = async (count: number) => {
  for (const over of begun.splice(0, count)) over();
  await pass();
};

beforeEach(() => {
  jest.useFakeTimers();
  begun = [];
  for (let times = 0; times < 8; times += 1) adjustSlots(1);
});
afterEach(async () => {
  // Waiting work would keep its place in later files of this process, so it is started and ended.
  await pass();
  while (begun.length > 0) await end(begun.length);
  jest.useRealTimers();
});

test('eight turns of a burst run at once, and each that ends starts the next', async () => {
  give(20);
  await pass();
  expect(begun).toHaveLength(8);
  await end(1);
  expect(begun).toHaveLength(8);
});

test('slow storing reduces the number, but never to none, and fast storing restores it', async () => {
  for (let times = 0; times < 5; times += 1) adjustSlots(200);
  give(20);
  await pass();
  expect(begun).toHaveLength(1);
  adjustSlots(1);
  await end(1);
  expect(begun).toHaveLength(2);
});

test.each([
  [40, 8],
  [41, 4],
])('stored in %i ms leaves %i places', async (milliseconds, places) => {
  adjustSlots(milliseconds);
  give(20);
  await pass();
  expect(begun).toHaveLength(places);
});

test('failed work frees its place, and is logged', async () => {
  const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
  const fault = new Error('lost');
  for (let count = 0; count < 8; count += 1) runWhenSlotFree(() => Promise.reject(fault));
  give(1);
  await pass();
  await pass();
  expect(begun).toHaveLength(1);
  expect(error.mock.calls).toEqual(Array.from({ length: 8 }, () => [{ err: fault }, 'work in a slot failed']));
  error.mockRestore();
});

test('work that waits for a platform frees its place after a second, and only once', async () => {
  give(12);
  await pass(900);
  expect(begun).toHaveLength(8);
  await pass(100);
  expect(begun).toHaveLength(12);
  await end(8);
  give(20);
  await pass();
  expect(begun).toHaveLength(4 + 4);
});

test('work beyond the limit is left to the sweeper', () => {
  expect(give(8 + 1000).filter(Boolean)).toHaveLength(1008);
  expect(give(1)).toEqual([false]);
});

test('earlier tests leave no work waiting', async () => {
  give(8);
  await pass();
  expect(begun).toHaveLength(8);
});

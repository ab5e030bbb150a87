import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startDueTimers, wakeAt } from '../../../bot/engine/delivery/dueTimers.ts';

let stop = () => {};
let swept: string[];
const sweep = (name: string) => async () => {
  swept.push(name);
};
beforeEach(() => {
  jest.useFakeTimers();
  swept = [];
  const [turns, deliveries] = [sweep('turns'), sweep('deliveries')];
  stop = startDueTimers({ consequences: sweep('consequences'), runs: sweep('runs'), turns, deliveries });
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});
const inMilliseconds = (wait: number) => new Date(Date.now() + wait);

test('what is put off is swept at its time and once for what is due together; the later one too', async () => {
  for (const wait of [2000, 2000, 5000]) wakeAt('deliveries', inMilliseconds(wait));
  wakeAt('turns', inMilliseconds(3000));
  await jest.advanceTimersByTimeAsync(1900);
  expect(swept).toEqual([]);
  await jest.advanceTimersByTimeAsync(300);
  expect(swept).toEqual(['deliveries']);
  await jest.advanceTimersByTimeAsync(3000);
  expect(swept).toEqual(['deliveries', 'turns', 'deliveries']);
});

test('a process that stops sweeps nothing more', async () => {
  wakeAt('deliveries', inMilliseconds(1000));
  stop();
  wakeAt('deliveries', inMilliseconds(1000));
  await jest.advanceTimersByTimeAsync(5000);
  expect(swept).toEqual([]);
});

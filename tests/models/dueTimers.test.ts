import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { scheduleSweep, startSweepTimers } from '../../models/store/dueTimers.ts';

let stop = () => {};
let swept: string[];
const sweep = (name: string) => async () => {
  swept.push(name);
};
beforeEach(() => {
  jest.useFakeTimers();
  swept = [];
  const [turns, deliveries] = [sweep('turns'), sweep('deliveries')];
  stop = startSweepTimers({ consequences: sweep('consequences'), runs: sweep('runs'), turns, deliveries });
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});
const inMilliseconds = (wait: number) => new Date(Date.now() + wait);

test('each due time has one sweep, shared by what is due together; later times have their own', async () => {
  for (const wait of [2000, 2000, 5000]) scheduleSweep('deliveries', inMilliseconds(wait));
  scheduleSweep('turns', inMilliseconds(3000));
  await jest.advanceTimersByTimeAsync(1900);
  expect(swept).toEqual([]);
  await jest.advanceTimersByTimeAsync(300);
  expect(swept).toEqual(['deliveries']);
  await jest.advanceTimersByTimeAsync(3000);
  expect(swept).toEqual(['deliveries', 'turns', 'deliveries']);
});

test('a stopped process does not sweep', async () => {
  scheduleSweep('deliveries', inMilliseconds(1000));
  stop();
  scheduleSweep('deliveries', inMilliseconds(1000));
  await jest.advanceTimersByTimeAsync(5000);
  expect(swept).toEqual([]);
});

test.each([
  [0, 1],
  [-5000, 1],
  [60 * 60_000 - 1000, 1],
  [60 * 60_000 + 1000, 0],
])('work due in %i ms has %i timers: beyond an hour it is left to the regular sweep', (wait, timers) => {
  // Other tests of this process may have set timers too.
  const before = jest.getTimerCount();
  scheduleSweep('runs', inMilliseconds(wait));
  expect(jest.getTimerCount() - before).toBe(timers);
});

test('work is found when it becomes due, without extra delay', async () => {
  const cases = [
    [0, 1000],
    [37, 1000],
    [80, 900],
    [81, 900],
  ] as const;
  for (const [index, [start, wait]] of cases.entries()) {
    jest.setSystemTime(Date.UTC(2026, 0, 1) + start);
    scheduleSweep('runs', new Date(Date.now() + wait));
    // Between 20 ms and 120 ms after it is due, because other timers of the process run in between.
    await jest.advanceTimersByTimeAsync(wait + 19);
    expect(swept).toHaveLength(index);
    await jest.advanceTimersByTimeAsync(101);
    expect(swept).toHaveLength(index + 1);
  }
  expect(swept).toEqual(['runs', 'runs', 'runs', 'runs']);
});

test('a failed sweep does not block the next one', async () => {
  stop();
  let times = 0;
  const failing = async () => {
    times += 1;
    throw new Error('the store is lost');
  };
  stop = startSweepTimers({ consequences: failing, runs: failing, turns: failing, deliveries: failing });
  for (const wait of [1000, 2000]) scheduleSweep('turns', inMilliseconds(wait));
  await jest.advanceTimersByTimeAsync(3000);
  expect(times).toBe(2);
});

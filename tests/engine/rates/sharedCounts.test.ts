/** @environment store */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { makeSharedCounts } from '../../../bot/engine/rates/sharedCounts.ts';
import { logger } from '../../../models/logger.ts';
import { connectedDatabase } from '../../../models/store/client.ts';
import { connectTestStore } from '../../factories/account.ts';

connectTestStore();
const { Collection } = mongo;
afterEach(() => {
  jest.restoreAllMocks();
});

const WINDOW_MS = 60_000;
/** Two processes that count the same rate. */
const twoProcesses = (limit: number, windowMs = WINDOW_MS) => {
  const name = randomUUID();
  return [makeSharedCounts(name, limit, windowMs), makeSharedCounts(name, limit, windowMs)] as const;
};
const rows = () => connectedDatabase().collection('rateCounts');
/** Lets all windows end. */
const endWindows = () => rows().updateMany({}, { $set: { resetAt: new Date(Date.now() - 1) } });

describe('calls of one caller', () => {
  test('count over all processes, call by call, where few are allowed', async () => {
    const [one, other] = twoProcesses(39);
    const hits = [];
    for (const process of [one, other, other, one]) hits.push((await process.increment('ada')).totalHits);
    expect(hits).toEqual([1, 2, 3, 4]);
    expect((await other.increment('grace')).totalHits).toBe(1);
    expect((await other.get('ada'))?.totalHits).toBe(4);
  });

  test('at once are all counted', async () => {
    const [one, other] = twoProcesses(20);
    const all = await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? one : other).increment('ada')));
    expect(all.map(({ totalHits }) => totalHits).sort((a, b) => a - b)).toEqual([...Array(41).keys()].slice(1));
  });

  test('of a larger rate are seen elsewhere after each twentieth of it', async () => {
    const [one, other] = twoProcesses(100);
    for (let n = 1; n <= 4; n += 1) expect((await one.increment('ada')).totalHits).toBe(n);
    expect(await other.get('ada')).toBeUndefined();
    expect((await one.increment('ada')).totalHits).toBe(5);
    expect((await other.get('ada'))?.totalHits).toBe(5);
    for (let n = 1; n <= 4; n += 1) await other.increment('ada');
    expect((await other.increment('ada')).totalHits).toBe(10);
    // The first process learns it with its own next twentieth.
    for (let n = 6; n <= 9; n += 1) expect((await one.increment('ada')).totalHits).toBe(n);
    expect((await one.increment('ada')).totalHits).toBe(15);
  });

  test('that turn out not to count are taken back in every process', async () => {
    const [one, other] = twoProcesses(10);
    await one.increment('ada');
    await other.increment('ada');
    await one.decrement('ada');
    expect((await other.increment('ada')).totalHits).toBe(2);
  });

  test('begin anew when their window has ended, which is the same moment in every process', async () => {
    const [one, other] = twoProcesses(10);
    const before = Date.now();
    const { resetTime } = await one.increment('ada');
    expect(Number(resetTime) - before).toBeGreaterThanOrEqual(WINDOW_MS);
    expect(Number(resetTime) - Date.now()).toBeLessThanOrEqual(WINDOW_MS);
    expect((await other.increment('ada')).resetTime).toEqual(resetTime);
    await endWindows();
    expect((await makeSharedCounts('x', 10, WINDOW_MS).get('ada'))?.totalHits).toBeUndefined();
    expect((await other.increment('ada')).totalHits).toBe(1);
    expect((await one.increment('ada')).totalHits).toBe(2);
  });

  test('of a rate that two processes begin at one moment are counted together', async () => {
    const [one, other] = twoProcesses(10);
    const begun = await Promise.all([one.increment('ada'), other.increment('ada')]);
    expect(begun.map(({ totalHits }) => totalHits).sort()).toEqual([1, 2]);
  });

  test('are forgotten on request', async () => {
    const [one, other] = twoProcesses(10);
    await one.increment('ada');
    await other.resetKey('ada');
    expect((await one.increment('ada')).totalHits).toBe(1);
  });

  test('are stored without the caller, and removed after their window', async () => {
    const [one] = twoProcesses(10);
    await one.increment('ada@example.org 198.51.100.7');
    const kept = await rows().find({}).toArray();
    expect(JSON.stringify(kept)).not.toMatch(/ada|198\.51/);
    const indexes = await rows().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { resetAt: 1 }, expireAfterSeconds: 0 }));
  });

  test('are counted in the process alone while the store is away', async () => {
    const [one, other] = twoProcesses(10);
    await one.increment('ada');
    const warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
    const lost = async () => {
      throw new Error('the store is lost');
    };
    jest.spyOn(Collection.prototype, 'findOneAndUpdate').mockImplementation(lost as never);
    jest.spyOn(Collection.prototype, 'findOne').mockImplementation(lost as never);
    expect((await one.increment('ada')).totalHits).toBe(2);
    expect((await one.get('ada'))?.totalHits).toBe(2);
    expect((await other.increment('ada')).totalHits).toBe(1);
    expect(warn).toHaveBeenCalledTimes(3);
  });
});

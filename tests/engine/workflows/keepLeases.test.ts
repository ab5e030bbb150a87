import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';

// Three times the patience: what the environment says is read once, with the product.
let lease: typeof import('../../../bot/engine/workflows/lease.ts');
let Run: typeof import('../../../models/run.ts').Run;
beforeAll(async () => {
  process.env.PATIENCE_FACTOR = '3';
  lease = await import('../../../bot/engine/workflows/lease.ts');
  ({ Run } = await import('../../../models/run.ts'));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a lease is good for fifteen seconds, as often as the patience says', () => {
  jest.spyOn(Date, 'now').mockReturnValue(1000);
  expect(lease.newLease('me')).toEqual({ owner: 'me', until: new Date(46_000) });
  expect(lease.newLease().owner).toBe(lease.processName);
});

test('leases are renewed by one clock, three times as often as they end, while something is worked on', async () => {
  jest.useFakeTimers({ now: 0 });
  const clocks = jest.spyOn(globalThis, 'setInterval');
  const renewed = jest.spyOn(Run, 'updateMany').mockResolvedValue({} as never);
  const looked = jest.spyOn(Run, 'find').mockReturnValue({ lean: async () => [] } as never);
  const { holdRun, releaseRun } = lease.keepLeases('me');
  const ids = [new Types.ObjectId(), new Types.ObjectId()] as const;
  for (const id of ids) holdRun(id);
  releaseRun(ids[1]);
  await jest.advanceTimersByTimeAsync(14_999);
  expect(renewed).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  const mine = { _id: { $in: [String(ids[0])] } };
  const until = new Date(15_000 + 45_000);
  expect(renewed.mock.calls).toEqual([[{ ...mine, 'lease.owner': 'me' }, { $set: { lease: { owner: 'me', until } } }]]);
  expect(looked.mock.calls).toEqual([[{ ...mine, cancelRequested: true }, { _id: 1 }]]);
  releaseRun(ids[0]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(renewed).toHaveBeenCalledTimes(1);
  expect(clocks).toHaveBeenCalledTimes(1);
});

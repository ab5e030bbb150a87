import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';

// Three times the factor. The product reads its environment once, when it is loaded.
let lease: typeof import('../../../bot/engine/workflows/lease.ts');
let processName: string;
let Run: typeof import('../../../models/run.ts').Run;
beforeAll(async () => {
  process.env.PATIENCE_FACTOR = '3';
  lease = await import('../../../bot/engine/workflows/lease.ts');
  ({ processName } = await import('../../../models/store/processName.ts'));
  ({ Run } = await import('../../../models/run.ts'));
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

test('a lease lasts fifteen seconds times the factor in the environment', () => {
  jest.spyOn(Date, 'now').mockReturnValue(1000);
  expect(lease.newLease('me')).toEqual({ owner: 'me', until: new Date(46_000) });
  expect(lease.newLease().owner).toBe(processName);
});

test('one timer renews all leases three times per lease, while anything is worked on', async () => {
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

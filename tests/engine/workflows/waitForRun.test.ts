/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { stoppedRuns } from '../../../bot/engine/workflows/progress.ts';
import { isNotExecuting, waitForRun } from '../../../bot/engine/workflows/waitForRun.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { inEveryAccount } from '../../factories/turns.ts';
import { connectWorkflows } from '../../factories/workflows.ts';

const kept = connectWorkflows(() => undefined);

describe('a caller that waits for a run', () => {
  test.each<[status: RunRow['status'], isAwaited: typeof isNotExecuting | undefined, found: boolean]>([
    ['completed', undefined, true],
    ['failed', undefined, true],
    ['cancelled', undefined, true],
    ['waiting', undefined, false],
    ['waiting', isNotExecuting, true],
    ['completed', isNotExecuting, true],
    ['ready', isNotExecuting, false],
  ])('learns of %s among %j: %j', async (status, isAwaited, found) => {
    const run = await kept.write({ status });
    // Only one that is not found waits for so long as it may.
    const waited = await inEveryAccount(() => waitForRun(run._id, found ? 60_000 : 20, isAwaited));
    expect(waited?.status ?? null).toBe(found ? status : null);
    expect(stoppedRuns.listenerCount(String(run._id))).toBe(0);
  });

  test('is told at once by this process, and of another one’s write within half a second', async () => {
    const run = await kept.write();
    const told = inEveryAccount(() => waitForRun(run._id, 10_000));
    stoppedRuns.emit(String(run._id), { ...run, status: 'waiting' });
    stoppedRuns.emit(String(run._id), { ...run, status: 'completed', error: 'told' });
    expect(await told).toMatchObject({ error: 'told' });
    const seen = inEveryAccount(() => waitForRun(run._id, 10_000));
    await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $set: { status: 'failed' } }));
    expect(await seen).toMatchObject({ status: 'failed' });
  });

  test('stops waiting for a deleted run, and leaves nothing behind', async () => {
    expect(await inEveryAccount(() => waitForRun(new Types.ObjectId(), 20))).toBeNull();
    const set = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'setInterval')] as const;
    const ended = [jest.spyOn(globalThis, 'clearTimeout'), jest.spyOn(globalThis, 'clearInterval')] as const;
    const run = await kept.write({ status: 'completed' });
    await inEveryAccount(() => waitForRun(run._id, 12_345));
    for (const [at, wait] of [12_345, 500].entries()) {
      const index = set[at]!.mock.calls.findIndex(([, given]) => given === wait);
      expect(ended[at]!.mock.calls).toContainEqual([set[at]!.mock.results[index]?.value]);
    }
  });
});

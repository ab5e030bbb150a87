/** @environment store */
import { hostname } from 'node:os';
import { describe, expect, jest, test } from '@jest/globals';
import { runs } from '../../../bot/engine/workflows/lease.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { isDeadOwner, processName } from '../../../models/store/processName.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount } from '../../factories/turns.ts';
import { connectWorkflows } from '../../factories/workflows.ts';

const kept = connectWorkflows(() => undefined);

/** Claims a run as a sweep does, if it is due. */
async function takeDue({ _id }: RunRow): Promise<RunRow | null> {
  return inEveryAccount(async () => {
    const due = await Run.findOne({ _id, ...runs.kind.open, ...runs.kind.due?.(new Date()) }).lean();
    const claimed = due && (await runs.claim(due, true));
    if (claimed) runs.letGo(claimed);
    return claimed;
  });
}

const thrown = (code: string) => {
  throw Object.assign(new Error(code), { code });
};

describe('the owner of a run', () => {
  test.each<[what: string, owner: string, dead: boolean]>([
    ['this process', processName, false],
    ['another host’s', 'elsewhere:1:x', false],
    ['an earlier life with the same id', `${hostname()}:${process.pid}:x`, true],
    ['a process that no longer exists', `${hostname()}:4194305:x`, true],
  ])('%s', (_what, owner, dead) => {
    expect(isDeadOwner(owner)).toBe(dead);
  });

  test.each([
    ['lives', () => true, false],
    ['lives and is another person’s', () => thrown('EPERM'), false],
    ['no longer exists', () => thrown('ESRCH'), true],
  ])('a process that %s is looked for, and nothing else', (_what, answer, dead) => {
    const asked = jest.spyOn(process, 'kill').mockImplementation(answer as never);
    expect(isDeadOwner(`${hostname()}:4194305:x`)).toBe(dead);
    expect(asked.mock.calls).toEqual([[4_194_305, 0]]);
  });

  test.each<[what: string, more: Partial<RunRow>, taken: boolean]>([
    ['nobody', { lease: null }, true],
    ['somebody until a moment ago', { lease: { owner: 'x', until: new Date(Date.now() - 1) } }, true],
    ['somebody', { lease: { owner: 'x', until: new Date(Date.now() + 60_000) } }, false],
    ['nobody, because it waits', { lease: null, status: 'waiting' }, false],
  ])('%s', async (_what, more, taken) => {
    const [other, run] = [await kept.write(more), await kept.write(more)];
    const found = await takeDue(run);
    const now = await readRun(run);
    if (taken) expect(found).toMatchObject({ version: 2, attempts: 2, lease: { owner: processName } });
    else expect(found).toBeNull();
    expect(now).toMatchObject(taken ? { version: 2, attempts: 2 } : { version: 1, attempts: 1 });
    if (taken) expect((now.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(10_000);
    expect((await readRun(other)).version).toBe(1);
  });

  test('is not replaced by a claim of what was read before another one', async () => {
    const run = await kept.write({ lease: { owner: 'x', until: new Date(Date.now() - 1) } });
    const read = await readRun(run);
    // The release before renews its lease, or claims it anew, and counts the version.
    await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $inc: { version: 1 } }));
    expect(await inEveryAccount(() => runs.claim(read, true))).toBeNull();
    expect(await readRun(run)).toMatchObject({ version: 2, attempts: 1, lease: { owner: 'x' } });
  });

  test('is known in this process while it works on the run, and can be stopped', async () => {
    const run = await kept.write();
    expect([runs.isHeld(run._id), runs.abort(run._id)]).toEqual([false, false]);
    await inEveryAccount(() =>
      runs.hold(run, async (signal) => {
        expect([runs.isHeld(String(run._id)), signal.aborted]).toEqual([true, false]);
        expect([runs.abort(String(run._id)), signal.aborted]).toEqual([true, true]);
      }),
    );
    expect(runs.isHeld(run._id)).toBe(false);
  });

  test('stays held under the later lease, when the holder before lets go', async () => {
    const run = await kept.write();
    const ends: (() => void)[] = [];
    const hold = () => inEveryAccount(() => runs.hold(run, () => new Promise<void>((resolve) => ends.push(resolve))));
    const before = hold();
    runs.letGo(run);
    const after = hold();
    ends[0]?.();
    await before;
    expect(runs.isHeld(run._id)).toBe(true);
    ends[1]?.();
    await after;
    expect(runs.isHeld(run._id)).toBe(false);
  });
});

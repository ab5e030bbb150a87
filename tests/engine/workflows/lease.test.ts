/** @environment store */
import { hostname } from 'node:os';
import { describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { abortHere, holdRun, isActiveHere, releaseRun, takeRun } from '../../../bot/engine/workflows/lease.ts';
import type { RunRow } from '../../../models/run.ts';
import { isDeadOwner, processName } from '../../../models/store/processName.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount } from '../../factories/turns.ts';
import { connectWorkflows } from '../../factories/workflows.ts';

const kept = connectWorkflows(() => undefined);

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
    const found = await inEveryAccount(() => takeRun(run._id));
    const now = await readRun(run);
    if (taken) expect(found).toMatchObject({ version: 2, attempts: 2, lease: { owner: processName } });
    else expect(found).toBeNull();
    expect(now).toMatchObject(taken ? { version: 2, attempts: 2 } : { version: 1, attempts: 1 });
    if (taken) expect((now.lease?.until.getTime() ?? 0) - Date.now()).toBeGreaterThan(10_000);
    expect((await readRun(other)).version).toBe(1);
  });

  test('is known in this process while it works on the run, and can be stopped', () => {
    const runId = new Types.ObjectId();
    expect([isActiveHere(runId), abortHere(runId)]).toEqual([false, false]);
    const { signal } = holdRun(runId);
    expect([isActiveHere(String(runId)), signal.aborted]).toEqual([true, false]);
    expect([abortHere(String(runId)), signal.aborted]).toEqual([true, true]);
    releaseRun(runId);
    expect(isActiveHere(runId)).toBe(false);
  });

  test('stays held by whoever took it over, when the holder before lets go', () => {
    const runId = new Types.ObjectId();
    const [before, after] = [{}, {}];
    holdRun(runId, before);
    const { signal } = holdRun(runId, after);
    expect(releaseRun(runId, before)).toBe(false);
    expect([abortHere(runId), signal.aborted]).toEqual([true, true]);
    expect([releaseRun(runId, after), isActiveHere(runId)]).toEqual([true, false]);
  });
});

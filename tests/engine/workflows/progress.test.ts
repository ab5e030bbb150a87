/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { showProgress, stoppedRuns, viewProgress } from '../../../bot/engine/workflows/progress.ts';
import { workflowNamed } from '../../../bot/engine/workflows/workflow.ts';
import type { RunRow } from '../../../models/run.ts';
import { connectWorkflows } from '../../factories/workflows.ts';

const kept = connectWorkflows(() => undefined);

describe('a run’s progress', () => {
  const view = (more: Partial<RunRow>) => viewProgress(kept.make(more));
  const states = (more: Partial<RunRow>) => view(more).steps.map(({ state }) => state);

  test.each<[more: Partial<RunRow>, states: string[], status: string, cancellable: boolean]>([
    [{}, ['doing', 'todo', 'todo'], 'working', true],
    [{ step: 'two', status: 'waiting' }, ['done', 'doing', 'todo'], 'waiting', true],
    [{ step: 'three', status: 'failed' }, ['done', 'done', 'doing'], 'failed', false],
    [{ step: 'two', status: 'completed' }, ['done', 'done', 'done'], 'completed', false],
    [{ step: 'gone', status: 'cancelled' }, ['todo', 'todo', 'todo'], 'cancelled', false],
  ])('%j: %j', (more, expected, status, cancellable) => {
    expect(states(more)).toEqual(expected);
    const label = { one: 'First', two: 'Second', three: 'Third' }[String(more.step ?? 'one')] ?? '';
    expect(view(more)).toMatchObject({
      label,
      status,
      cancellable,
      done: 0,
      total: 0,
      agentName: 'Clara',
      title: 'Titled',
    });
  });

  test('comes from its steps, and within a step from the step itself, at most ten times a second', async () => {
    const conversation = await kept.open();
    const run = kept.make({ workspaceId: 9, agentId: 'nobody' as never });
    const clock = jest.spyOn(Date, 'now');
    const at = (moment: number, now?: { label: string; done: number; total: number }, more: Partial<RunRow> = {}) => {
      clock.mockReturnValue(moment);
      showProgress({ ...run, ...more }, conversation, now);
    };
    try {
      at(1000);
      at(1050, { label: 'Half', done: 1, total: 2 });
      at(1099, { label: 'Half', done: 1, total: 2 });
      at(1100, { label: 'Most', done: 2, total: 3 });
      at(1150, { label: 'All', done: 3, total: 3 });
      at(1160, undefined, { step: 'two' });
      at(1170, undefined, { status: 'completed' });
      at(1180, { label: 'Late', done: 1, total: 1 });
    } finally {
      clock.mockRestore();
    }
    expect(kept.shown.map(({ label, done, total, status }) => [label, done, total, status])).toEqual([
      ['First', 0, 0, 'working'],
      ['Most', 2, 3, 'working'],
      ['Second', 0, 0, 'working'],
      ['First', 0, 0, 'completed'],
      ['Late', 1, 1, 'working'],
    ]);
    expect(kept.shown[0]).toMatchObject({
      runId: String(run._id),
      workspaceId: 9,
      agentName: 'nobody',
      startedAt: run.createdAt.toISOString(),
      steps: [{ id: 'one', label: 'First', state: 'doing' }, { id: 'two' }, { id: 'three' }],
    });
  });

  test('is not sent for plain answers, nor without watchers', async () => {
    const conversation = await kept.open();
    showProgress(kept.make({ workflow: 'kept-plain' }), conversation);
    showProgress(kept.make(), null);
    expect(kept.shown).toEqual([]);
    expect(viewProgress(kept.make({ workflow: 'kept-plain' })).title).toBe('');
    expect(() => workflowNamed('none')).toThrow('No workflow is called none.');
  });

  test('can be awaited by any number of callers', () => {
    expect(stoppedRuns.getMaxListeners()).toBe(0);
  });
});

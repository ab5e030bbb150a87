import { expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  beginWith,
  defineWorkflow,
  registerWorkflow,
  type StepContext,
  staysCancellable,
} from '../../../bot/engine/workflows/workflow.ts';

const counting = defineWorkflow({
  name: 'counting',
  title: null,
  first: 'count',
  reserve: 0,
  state: z.object({ from: z.number(), by: z.number().default(1) }),
  steps: {
    count: {
      label: 'Count',
      brief: true,
      run: async ({ state: { from, by } }) => ({ done: { output: String(from + by) }, state: { from: from + by } }),
    },
  },
});

const runStep = (state: object) => counting.steps.count?.run({ state } as unknown as StepContext);

test('a step reads the run’s state as one type, with defaults for fields that an earlier release did not store', async () => {
  expect(await runStep({ from: 3 })).toEqual({ done: { output: '4' }, state: { from: 4 } });
  expect(await runStep({ from: 3, by: 4, interruptId: 18 })).toEqual({ done: { output: '7' }, state: { from: 7 } });
  expect(counting.steps.count).toMatchObject({ label: 'Count', brief: true });
});

test.each([{}, { from: '3' }, { from: 3, by: null }])('a step does not run on an invalid state: %j', (state) => {
  expect(() => runStep(state)).toThrow(z.ZodError);
});

test('a run starts with everything that its workflow needs', () => {
  expect(beginWith(counting, 'Count on', { from: 3 })).toEqual({
    workflow: 'counting',
    goal: 'Count on',
    state: { from: 3 },
  });
  // @ts-expect-error Without it, a run would fail at its first step.
  beginWith(counting, 'Count on', { by: 3 });
});

test.each<[{ showsProgress?: boolean }, { cancellable?: boolean }, boolean]>([
  [{}, {}, false],
  [{}, { cancellable: true }, true],
  [{ showsProgress: true }, {}, true],
  [{ showsProgress: false }, { cancellable: false }, false],
])('after an answer a run of %j can be cancelled in a step of %j: %s', (workflow, step, stays) => {
  const run = async () => ({ next: 'one' });
  const other = { label: 'Other', run, cancellable: true };
  registerWorkflow({
    ...{ name: 'stopping', title: null, first: 'one', reserve: 0, ...workflow },
    steps: { one: { label: 'One', run, ...step }, other },
  });
  expect(staysCancellable({ workflow: 'stopping', step: 'one' })).toBe(stays);
  expect(staysCancellable({ workflow: 'stopping', step: 'gone' })).toBe(workflow.showsProgress === true);
});

/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readObjective } from '../../../bot/agents/designer/screen/readObjective.ts';
import { designWorkflow } from '../../../bot/agents/designer/workflows/design.ts';
import { StoredFile } from '../../../models/file.ts';
import { Project } from '../../../models/project.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeStepContext } from '../../factories/stepContext.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const OBJECTIVE = 'A screen for nurses to record pulse and weight';
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const begin = (state: object, more: object = {}) =>
  makeStepContext({ accountId, agentId: 'designer', round: 3, state: state as never, ...more });
const step = (name: string) => designWorkflow.steps[name]?.run;
const filesOf = () => inAccount(() => StoredFile.find({}).lean());

describe('drawing a prototype', () => {
  const state = {
    objective: OBJECTIVE,
    screen: readObjective(OBJECTIVE),
    style: 'Calm teal',
    note: 'It now has two columns.',
  };

  test('again after a crash makes no second one: the same files, one project, the same words under the same key', async () => {
    const { context, said } = begin(state);
    const first = await inAccount(async () => step('draw')?.(context));
    const kept = await filesOf();
    const again = await inAccount(async () => step('draw')?.(context));
    expect(again).toEqual(first);
    expect(await filesOf()).toEqual(kept);
    // The page, its archive, and four states, light and dark, at two widths.
    expect(kept).toHaveLength(1 + 1 + 4 * 2 * 2);
    expect(await inAccount(() => Project.countDocuments({}))).toBe(1);
    expect(said).toHaveLength(2);
    expect(said[1]).toEqual(said[0]);
    expect(said[0]?.key).toBe('drawn:3');
    expect(said[0]?.text).toMatch(
      /^Prototype of “Record pulse and weight”\nIt now has two columns\. One clickable page/,
    );
  });

  test('again after a wish makes another project, beside the first', async () => {
    const { context } = begin(state);
    await inAccount(async () => step('draw')?.(context));
    const later = begin(state, { _id: context.run._id, round: 4 });
    await inAccount(async () => step('draw')?.(later.context));
    const projects = await inAccount(() => Project.find({}).lean());
    expect(projects).toHaveLength(2);
    expect(new Set(projects.map(({ previewFileId }) => String(previewFileId))).size).toBe(2);
    expect(await filesOf()).toHaveLength(2 * 18);
  });

  test('reports its progress to the end', async () => {
    const { context, progress } = begin(state);
    await inAccount(async () => step('draw')?.(context));
    expect(progress[0]).toBe('Writing the prototype 0 of 18');
    expect(progress.at(-1)).toBe('Drawing the frames 16 of 18');
  });
});

test('the objective is never “I don’t know”: it is asked again', async () => {
  const answer = async () => ({ userResponse: { userInput: 'I don’t know' } });
  const { context } = begin({ objective: 'Design a screen' });
  const read = await inAccount(async () => step('objectiveGiven')?.({ ...context, answer } as never));
  expect(read).toEqual({ next: 'objective', state: { isAgain: true } });
  const again = begin({ objective: 'Design a screen', isAgain: true });
  const asked = await inAccount(async () => step('objective')?.(again.context));
  expect(asked).toMatchObject({ ask: { prompt: expect.stringMatching(/^I can’t go on without this\./) } });
});

test.each([
  ['objective', { objective: OBJECTIVE }, { next: 'layout' }],
  ['objective', { objective: 'Design a screen' }, { next: 'objectiveGiven' }],
  ['layout', { objective: OBJECTIVE }, { next: 'layoutDecided', cost: 10 }],
  ['components', { objective: OBJECTIVE }, { next: 'componentsDecided', cost: 10 }],
  ['style', { objective: OBJECTIVE }, { next: 'styleDecided', cost: 10 }],
  ['style', { objective: OBJECTIVE, stylePage: 1 }, { next: 'styleDecided', cost: 0 }],
])('step “%s” on %j asks the same when it runs again, and changes nothing', async (name, state, expected) => {
  const { context, said } = begin(state);
  const first = await inAccount(async () => step(name)?.(context));
  expect(await inAccount(async () => step(name)?.(context))).toEqual(first);
  expect(first).toMatchObject(expected);
  expect(said).toEqual([]);
  expect(await filesOf()).toEqual([]);
});

/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { runs } from '../../../bot/engine/workflows/lease.ts';
import { stoppedRuns } from '../../../bot/engine/workflows/progress.ts';
import { resumeRun } from '../../../bot/engine/workflows/resumeRun.ts';
import type { Step } from '../../../bot/engine/workflows/workflow.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { Workspace } from '../../../models/workspace.ts';
import { nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { inEveryAccount, openPlace, readMessages } from '../../factories/turns.ts';
import { connectWorkflows, RESOLVED } from '../../factories/workflows.ts';

let accountId = 0;
const kept = connectWorkflows((made) => {
  ({ accountId } = made);
});
const keep = (more: Partial<RunRow> = {}) => kept.write({ workflow: 'kept-shared', ...more });
const { statusOf } = kept;
const until = (run: RunRow, status: RunRow['status']) =>
  eventually(async () => (await kept.statusOf(run)) === status, `the run to be ${status}`);

describe('a run that asks', () => {
  /** Asks and answers the question of a run's next step in advance. */
  const settle = async (run: RunRow, more: Partial<InterruptRow>) => {
    const _id = nextNumber();
    const row = makeInterrupt({ _id, accountId, runId: run._id, askKey: `${run._id}:one:0`, ...more });
    await inEveryAccount(() => Interrupt.create(row));
    return row;
  };
  const asks: Step = async () => ({ ask: { interruptType: 'approval', prompt: 'Shall I?' }, next: 'two' });
  const cancelling =
    (run: RunRow): Step =>
    async (context) => {
      await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $set: { cancelRequested: true } }));
      return asks(context);
    };

  test.each([
    ['was answered meanwhile, continues', false, RESOLVED, 'completed', []],
    ['was answered before it could be cancelled, continues and says so', true, RESOLVED, 'completed', ['refused']],
    ['was withdrawn with a cancellation, ends', true, { status: 'cancelled' as const }, 'cancelled', ['cancelled']],
    ['was cancelled while it asked, ends with its question', true, {}, 'cancelled', ['cancelled']],
    ['waits if there is no answer', false, {}, 'waiting', []],
  ])('%s', async (_what, cancels, question, status, kinds) => {
    const conversation = await openPlace(accountId);
    await keep({ status: 'completed', cancelRequested: !cancels });
    const run = await keep();
    const row = await settle(run, question as Partial<InterruptRow>);
    kept.next = cancels ? cancelling(run) : asks;
    await executeRun(run, conversation);
    expect(await statusOf(run)).toBe(status);
    expect((await readMessages(accountId)).map((it) => it.kind)).toEqual(kinds);
    const asked = await inEveryAccount(() => Interrupt.findById(row._id).lean());
    if (status === 'cancelled') expect(asked?.status).toBe('cancelled');
  });

  test('outside a conversation continues with its answer, and posts nothing', async () => {
    const run = await keep();
    await settle(run, RESOLVED);
    kept.next = cancelling(run);
    await executeRun(run);
    expect(await statusOf(run)).toBe('completed');
  });

  test('without a piece of work to show shows none', async () => {
    let end = () => {};
    kept.next = () =>
      new Promise((resolve) => {
        end = () => resolve({ next: 'two' });
      });
    const { run, row } = await kept.ask(RESOLVED, { step: 'one', workflow: 'kept-shared' });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await inEveryAccount(() => resumeRun(row));
    const writes = jest.spyOn(Workspace, 'updateOne');
    const show = timers.mock.calls.find(([, wait]) => wait === 300)?.[0] as () => void;
    show();
    expect(writes).not.toHaveBeenCalled();
    end();
    await until(run, 'completed');
  });

  test('is shown as waiting, and announced to those who wait for that', async () => {
    const conversation = await openPlace(accountId);
    const workspaceId = nextNumber();
    const run = await keep({ workspaceId });
    const row = {
      _id: workspaceId,
      accountId,
      runId: run._id,
      userAgentId: 5,
      agentId: 'clinical_safety',
      goal: 'Try',
    };
    await inEveryAccount(() => Workspace.create({ ...row, status: 'working' }));
    const told: unknown[] = [];
    stoppedRuns.once(String(run._id), ({ status, version }) => told.push([status, version]));
    kept.next = asks;
    await executeRun(run, conversation);
    expect(told).toEqual([['waiting', 2]]);
    expect((await inEveryAccount(() => Workspace.findById(workspaceId).lean()))?.status).toBe('waiting');
    expect(kept.shown.map(({ status }) => status)).toEqual(['working', 'waiting']);
  });

  test('and soon waits again does not show as working', async () => {
    const question = nextNumber();
    const run = await keep({
      status: 'waiting',
      step: 'one',
      round: 1,
      workspaceId: question,
      state: { interruptId: question },
    });
    kept.next = asks;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const writes = jest.spyOn(Workspace, 'updateOne');
    await inEveryAccount(() => resumeRun(makeInterrupt({ _id: question, accountId, runId: run._id, ...RESOLVED })));
    await eventually(async () => !runs.isHeld(run._id), 'the run to rest');
    const show = timers.mock.calls.find(([, wait]) => wait === 300)?.[0] as () => void;
    writes.mockClear();
    show();
    expect(writes).not.toHaveBeenCalled();
  });

  test('and waits again while it is shown as working is shown as waiting', async () => {
    let ask = () => {};
    kept.next = (context) =>
      new Promise((resolve) => {
        ask = () => resolve(asks(context));
      });
    const workspaceId = nextNumber();
    const state = { interruptId: workspaceId };
    const run = await keep({ status: 'waiting', step: 'one', round: 1, workspaceId, state });
    const row = { userAgentId: 5, agentId: 'clinical_safety', goal: 'Try' } as const;
    await inEveryAccount(() =>
      Workspace.create({ _id: workspaceId, accountId, runId: run._id, status: 'waiting', ...row }),
    );
    const write = Workspace.updateOne.bind(Workspace);
    let hasShown = false;
    jest.spyOn(Workspace, 'updateOne').mockImplementation(((filter: object, change: { $set: { status: string } }) => {
      if (change.$set.status !== 'working') return write(filter, change);
      return (async () => {
        // The question is asked and saved first; this write arrives last.
        ask();
        await until(run, 'waiting');
        await eventually(async () => !runs.isHeld(run._id), 'the run to rest');
        const written = await write(filter, change);
        hasShown = true;
        return written;
      })();
    }) as never);
    await inEveryAccount(() => resumeRun(makeInterrupt({ _id: workspaceId, accountId, runId: run._id, ...RESOLVED })));
    await eventually(async () => hasShown, 'the late write');
    const shown = async () => (await inEveryAccount(() => Workspace.findById(workspaceId).lean()))?.status;
    await eventually(async () => (await shown()) === 'waiting', 'it to show as waiting');
  });

  test.each(['waiting', 'cancelled'] as const)(
    'and continues for long shows as working again, if it showed as waiting: %s',
    async (before) => {
      let end = () => {};
      kept.next = () =>
        new Promise((resolve) => {
          end = () => resolve({ next: 'two' });
        });
      const workspaceId = nextNumber();
      const run = await keep({ status: 'waiting', workspaceId, state: { interruptId: workspaceId } });
      const row = { userAgentId: 5, agentId: 'clinical_safety', goal: 'Try' };
      const other = nextNumber();
      await inEveryAccount(() =>
        Workspace.create({ _id: other, accountId, runId: new Types.ObjectId(), status: 'waiting', ...row }),
      );
      await inEveryAccount(() =>
        Workspace.create({ _id: workspaceId, accountId, runId: run._id, status: before, ...row }),
      );
      const writes = jest.spyOn(Workspace, 'updateOne');
      await inEveryAccount(() =>
        resumeRun(makeInterrupt({ _id: workspaceId, accountId, runId: run._id, ...RESOLVED })),
      );
      await eventually(async () => writes.mock.calls.length > 0, 'the work to show');
      const shown = async (_id: number) => (await inEveryAccount(() => Workspace.findById(_id).lean()))?.status;
      if (before === 'waiting') await eventually(async () => (await shown(workspaceId)) === 'working', 'it to show');
      expect([await shown(workspaceId), await shown(other)]).toEqual([
        before === 'waiting' ? 'working' : 'cancelled',
        'waiting',
      ]);
      end();
      await until(run, 'completed');
    },
  );
});

/** @environment store */
import { hostname } from 'node:os';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { grantCredits, readBalance } from '../../../bot/engine/billing/credits.ts';
import { registerChannel } from '../../../bot/engine/delivery/channel.ts';
import { cancelRun, cancelRunsAt } from '../../../bot/engine/workflows/cancelRun.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { abortHere, holdRun, isActiveHere, processName, releaseRun } from '../../../bot/engine/workflows/lease.ts';
import { resumeRun } from '../../../bot/engine/workflows/resumeRun.ts';
import { startRun } from '../../../bot/engine/workflows/startRun.ts';
import { sweepRuns, sweepWaiting } from '../../../bot/engine/workflows/sweepRuns.ts';
import { registerWorkflow, type Step } from '../../../bot/engine/workflows/workflow.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { Workspace } from '../../../models/workspace.ts';
import { codeOf, connectTestStore, giveTrial, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { keepRun, makeRun, readRun } from '../../factories/runs.ts';
import { everywhere, openPlace, readMessages } from '../../factories/turns.ts';
import { makeChannel } from '../../fakes/channel.ts';

connectTestStore();
let accountId = 0;
let step: Step;
beforeAll(() =>
  registerWorkflow({
    name: 'test-edges',
    title: 'Edges',
    first: 'one',
    reserve: 10,
    steps: {
      one: { label: 'One', run: (context) => step(context) },
      two: { label: 'Two', run: async () => ({ done: { output: 'done' } }) },
    },
  }),
);
beforeEach(async () => {
  accountId = nextNumber();
  step = async () => ({ next: 'two' });
  registerChannel(makeChannel().channel);
  // What nobody works on is looked for in every account.
  await everywhere(() => Run.deleteMany({}));
});
afterEach(() => {
  jest.restoreAllMocks();
});
const keep = (more: Partial<RunRow> = {}) => keepRun({ accountId, workflow: 'test-edges', ...more });
const statusOf = async (run: RunRow) => (await readRun(run)).status;
const until = (run: RunRow, status: RunRow['status']) =>
  eventually(async () => (await statusOf(run)) === status, `the run to be ${status}`);
const dead = () => ({ owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) });

describe('runs that nobody works on', () => {
  test('are taken up in every account, and counted; what is worked on, waits or has ended is left', async () => {
    const left = [await keep(), await keep({ accountId: nextNumber(), lease: dead() })];
    const alive = { owner: 'elsewhere:1:x', until: new Date(Date.now() + 60_000) };
    const others = [
      await keep({ lease: alive }),
      await keep({ status: 'waiting' }),
      await keep({ status: 'cancelled' }),
    ];
    expect(await sweepRuns()).toBe(2);
    for (const run of left) await until(run, 'completed');
    expect(await Promise.all(others.map(statusOf))).toEqual(['ready', 'waiting', 'cancelled']);
    expect(await sweepRuns()).toBe(0);
  });

  test('are not taken from this process, also where its earlier life held them', async () => {
    const [here, left] = [await keep({ lease: dead() }), await keep({ lease: dead() })];
    holdRun(here._id);
    expect(await sweepRuns()).toBe(1);
    releaseRun(here._id);
    await until(left, 'completed');
    expect(await readRun(here)).toMatchObject({ status: 'ready', attempts: 1, lease: { owner: dead().owner } });
  });

  test('of a dead owner are taken once: whoever took one meanwhile keeps it', async () => {
    const run = await keep({ lease: dead() });
    const lease = { owner: 'elsewhere:1:x', until: new Date(Date.now() + 60_000) };
    const find = Run.find.bind(Run);
    jest.spyOn(Run, 'find').mockImplementationOnce(((...given: Parameters<typeof find>) => {
      const query = find(...given);
      const lean = query.lean.bind(query);
      const take = async () => {
        const rows = await lean();
        await Run.updateOne({ _id: run._id }, { $set: { lease } });
        return rows;
      };
      return Object.assign(query, { lean: take });
    }) as never);
    expect(await sweepRuns()).toBe(0);
    expect((await readRun(run)).lease).toEqual(lease);
  });

  test('are worked to their end before the next is taken, where they were in more than one crash', async () => {
    const run = await keep({ attempts: 2 });
    expect(await sweepRuns()).toBe(1);
    expect(await readRun(run)).toMatchObject({ status: 'completed' });
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
  ])('are watched for a second, where they were in %i crashes: %i', async (attempts, times) => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const run = await keep({ attempts });
    await sweepRuns();
    expect(timers.mock.calls.filter(([, wait]) => wait === 1000)).toHaveLength(times);
    await until(run, 'completed');
  });

  test('are set aside where they were in three, with what was reserved given back once', async () => {
    await everywhere(() => grantCredits(accountId, 100, 'gift', 'A gift'));
    const conversation = await openPlace(accountId);
    const run = await keep({ attempts: 3, reserved: 10, conversationId: conversation._id });
    const worked = jest.fn(step);
    step = worked;
    await sweepRuns();
    expect(await readRun(run)).toMatchObject({ status: 'failed', lease: null });
    expect(worked).not.toHaveBeenCalled();
    expect((await everywhere(() => readBalance(accountId))).tokensRemaining).toBe(100);
    expect(await readMessages(accountId)).toMatchObject([
      { key: `run:${run._id}:end`, kind: 'failed', text: expect.stringContaining(String(run._id)) },
    ]);
  });

  test('hold up no other where one can’t be taken', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const [bad, good] = [await keep(), await keep()];
    const take = Run.findOneAndUpdate.bind(Run);
    jest.spyOn(Run, 'findOneAndUpdate').mockImplementation(((filter: { _id: unknown }, ...rest: []) => {
      if (String(filter._id) === String(bad._id)) throw new Error('the store is lost');
      return take(filter as never, ...rest);
    }) as never);
    expect(await sweepRuns()).toBe(1);
    await until(good, 'completed');
    expect(error).toHaveBeenCalledTimes(1);
    expect(await statusOf(bad)).toBe('ready');
  });
});

test('of runs that wait each is looked at once, however many there are', async () => {
  const _id = nextNumber();
  await everywhere(() => Interrupt.create(makeInterrupt({ _id, accountId, askKey: String(_id) })));
  const waiting = { accountId, workflow: 'test-edges', status: 'waiting' as const };
  const rows = Array.from({ length: 500 }, () => makeRun({ ...waiting, state: { interruptId: _id } }));
  await Run.collection.insertMany(rows as never);
  const last = await keep({ ...waiting, state: { interruptId: nextNumber() } });
  expect(await sweepWaiting()).toBe(1);
  expect(await statusOf(last)).toBe('cancelled');
  expect(await everywhere(() => Run.countDocuments({ status: 'waiting' }))).toBe(500);
});

describe('whoever cancels', () => {
  test('is told of a conflict where the run was another each time that it was looked at, ten times', async () => {
    const who = makeWho({ accountId });
    const run = await keep({ userId: who.userId });
    const looks = jest.spyOn(Run, 'findOne');
    jest.spyOn(Run, 'updateOne').mockResolvedValue({ matchedCount: 0 } as never);
    expect(await codeOf(everywhere(() => cancelRun(who, run._id)))).toBe('conflict');
    expect(looks).toHaveBeenCalledTimes(10);
  });

  test('by the platform’s Stop is told nothing of what has ended', async () => {
    const who = makeWho({ accountId });
    const conversation = await openPlace(accountId);
    const _id = nextNumber();
    const row = makeInterrupt({ _id, accountId, askKey: String(_id), status: 'resolved' });
    await everywhere(() => Interrupt.create(row));
    const at = { conversationId: conversation._id, userId: who.userId, state: { interruptId: _id } };
    await keep({ ...at, status: 'completed' });
    await everywhere(() => cancelRunsAt(who, conversation.address));
    expect(await readMessages(accountId)).toEqual([]);
    const going = await keep({ ...at, status: 'ready' });
    await everywhere(() => cancelRunsAt(who, conversation.address));
    expect(await readMessages(accountId)).toMatchObject([{ key: `run:${going._id}:not-cancelled`, kind: 'refused' }]);
  });
});

describe('a run that can’t be paid for', () => {
  const start = (conversation: ConversationRow) => {
    const it = { workflow: 'test-edges', agent: findAgent('clinical_safety')!, userId: 7, goal: 'Try', state: {} };
    const userAgent = { _id: 5, accountId } as never;
    return everywhere(() => startRun({ ...it, userAgent, conversation, startKey: String(nextNumber()) }));
  };
  beforeEach(() => giveTrial(accountId));

  test('because another took the credits at the same moment leaves nothing behind', async () => {
    await everywhere(() => grantCredits(accountId, 25, 'gift', 'A gift'));
    const places = await Promise.all(Array.from({ length: 4 }, () => openPlace(accountId)));
    const results = await Promise.allSettled(places.map(start));
    const begun = results.flatMap((it) => (it.status === 'fulfilled' ? [String(it.value.run._id)] : []));
    const refused = results.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : []));
    expect([begun.length, refused]).toEqual([2, ['out_of_credit', 'out_of_credit']]);
    const standing = await everywhere(() => Run.find({ accountId }).lean());
    expect(standing.map(({ _id }) => String(_id)).sort()).toEqual(begun.sort());
    expect(await everywhere(() => Workspace.countDocuments({ accountId }))).toBe(2);
  });

  test('because the store is lost stays, for the sweeper to pay and work', async () => {
    await everywhere(() => grantCredits(accountId, 25, 'gift', 'A gift'));
    jest.spyOn(Workspace, 'create').mockRejectedValueOnce(new Error('the store is lost') as never);
    await expect(start(await openPlace(accountId))).rejects.toThrow('the store is lost');
    const standing = (await everywhere(() => Run.findOne({ accountId }).lean())) as RunRow;
    expect(standing).toMatchObject({ status: 'ready', lease: { owner: processName } });
    await everywhere(() => Run.updateOne({ _id: standing._id }, { $set: { lease: null } }));
    await sweepRuns();
    await until(standing, 'completed');
    expect(await everywhere(() => LedgerEntry.countDocuments({ accountId, kind: 'reserve' }))).toBe(1);
    expect(await everywhere(() => Workspace.countDocuments({ accountId }))).toBe(1);
  });

  test('once it is taken over ends, says so, and gives nothing back', async () => {
    const conversation = await openPlace(accountId);
    const run = await keep({ reserved: 10, attempts: 2, conversationId: conversation._id });
    await executeRun(run);
    expect(await statusOf(run)).toBe('failed');
    expect(await readMessages(accountId)).toMatchObject([{ kind: 'refused' }]);
    expect(await everywhere(() => LedgerEntry.countDocuments({ accountId }))).toBe(0);
  });
});

describe('a step that fails', () => {
  test.each([
    [0, 'cancelled', 'cancelled'],
    [1, 'ready', undefined],
  ] as const)('after it was stopped, in round %i, leaves its run %s', async (round, status, kind) => {
    const conversation = await openPlace(accountId);
    const run = await keep({ round });
    step = async () => {
      abortHere(run._id);
      throw new Error('stopped');
    };
    await executeRun(run, conversation);
    expect(await statusOf(run)).toBe(status);
    expect((await readMessages(accountId)).map((it) => it.kind)).toEqual(kind ? [kind] : []);
  });

  test.each([
    ['no_log', 'failed', 'refused'],
    ['cancelled', 'cancelled', 'cancelled'],
  ] as const)('for the caller’s reason %s is not tried again: its run is %s', async (code, status, kind) => {
    const conversation = await openPlace(accountId);
    const run = await keep();
    step = () => Promise.reject(new AppError(code));
    await executeRun(run, conversation);
    expect(await readRun(run)).toMatchObject({ status, attempts: 1 });
    const said = await readMessages(accountId);
    expect(said.map((it) => it.kind)).toEqual([kind]);
  });

  test('with a code that is no reason of ours is tried again', async () => {
    const run = await keep();
    step = () => Promise.reject(Object.assign(new Error('of a library'), { code: 'cancelled' }));
    await executeRun(run);
    expect(await statusOf(run)).toBe('ready');
  });

  test('because there is no such step, or no such agent, is a fault', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const lost = await keep({ step: 'gone', attempts: 3 });
    await executeRun(lost);
    expect(await statusOf(lost)).toBe('failed');
    const nobodys = await keep({ agentId: 'gone' });
    await executeRun(nobodys);
    expect(await statusOf(nobodys)).toBe('ready');
    expect(error).toHaveBeenCalledTimes(2);
  });
});

describe('a run that asks', () => {
  /** Has the question of a run's next step asked already, and settled. */
  const settle = async (run: RunRow, more: Partial<InterruptRow>) => {
    const _id = nextNumber();
    const row = makeInterrupt({ _id, accountId, runId: run._id, askKey: `${run._id}:one:0`, ...more });
    await everywhere(() => Interrupt.create(row));
    return row;
  };
  const resolution = { outcome: 'approved', by: { userId: 3, name: 'Bo' }, via: 'inbox', reason: null, at: new Date() };
  const resolved = { status: 'resolved', resolution } as Partial<InterruptRow>;
  const asks: Step = async () => ({ ask: { interruptType: 'approval', prompt: 'Shall I?' }, next: 'two' });
  const cancelling =
    (run: RunRow): Step =>
    async (context) => {
      await everywhere(() => Run.updateOne({ _id: run._id }, { $set: { cancelRequested: true } }));
      return asks(context);
    };

  test.each([
    ['was answered meanwhile, goes on', false, resolved, 'completed', []],
    ['was answered before it could be cancelled, goes on and says so', true, resolved, 'completed', ['refused']],
    ['was withdrawn by who cancelled, ends', true, { status: 'cancelled' as const }, 'cancelled', ['cancelled']],
    ['was cancelled while it asked, ends with its question', true, {}, 'cancelled', ['cancelled']],
    ['waits where nothing has come', false, {}, 'waiting', []],
  ])('%s', async (_what, cancels, question, status, kinds) => {
    const conversation = await openPlace(accountId);
    await keep({ status: 'completed', cancelRequested: !cancels });
    const run = await keep();
    const row = await settle(run, question as Partial<InterruptRow>);
    step = cancels ? cancelling(run) : asks;
    await executeRun(run, conversation);
    expect(await statusOf(run)).toBe(status);
    expect((await readMessages(accountId)).map((it) => it.kind)).toEqual(kinds);
    const asked = await everywhere(() => Interrupt.findById(row._id).lean());
    if (status === 'cancelled') expect(asked?.status).toBe('cancelled');
  });

  test('in no conversation goes on with its answer, and says nothing', async () => {
    const run = await keep();
    await settle(run, resolved);
    step = cancelling(run);
    await executeRun(run);
    expect(await statusOf(run)).toBe('completed');
  });

  test('and rests again before it could be seen does not show as working', async () => {
    const question = nextNumber();
    const run = await keep({
      status: 'waiting',
      step: 'one',
      round: 1,
      workspaceId: question,
      state: { interruptId: question },
    });
    step = asks;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const writes = jest.spyOn(Workspace, 'updateOne');
    await everywhere(() => resumeRun(makeInterrupt({ _id: question, accountId, runId: run._id, ...resolved })));
    await eventually(async () => !isActiveHere(run._id), 'the run to rest');
    const show = timers.mock.calls.find(([, wait]) => wait === 300)?.[0] as () => void;
    writes.mockClear();
    show();
    expect(writes).not.toHaveBeenCalled();
  });

  test.each(['waiting', 'cancelled'] as const)(
    'and goes on for long shows as working again, where it showed as waiting: %s',
    async (before) => {
      let end = () => {};
      step = () =>
        new Promise((resolve) => {
          end = () => resolve({ next: 'two' });
        });
      const workspaceId = nextNumber();
      const run = await keep({ status: 'waiting', workspaceId, state: { interruptId: workspaceId } });
      const row = { userAgentId: 5, agentId: 'clinical_safety', goal: 'Try' };
      await everywhere(() => Workspace.create({ _id: workspaceId, accountId, runId: run._id, status: before, ...row }));
      const other = nextNumber();
      await everywhere(() =>
        Workspace.create({ _id: other, accountId, runId: new Types.ObjectId(), status: 'waiting', ...row }),
      );
      const writes = jest.spyOn(Workspace, 'updateOne');
      await everywhere(() => resumeRun(makeInterrupt({ _id: workspaceId, accountId, runId: run._id, ...resolved })));
      await eventually(async () => writes.mock.calls.length > 0, 'the work to show');
      const shown = async (_id: number) => (await everywhere(() => Workspace.findById(_id).lean()))?.status;
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

/** @environment store */
import { hostname } from 'node:os';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { grantCredits, readBalance } from '../../../bot/engine/billing/credits.ts';
import { registerChannel } from '../../../bot/engine/delivery/channel.ts';
import { conversationKey, openConversation } from '../../../bot/engine/turns/conversations.ts';
import { beginRun } from '../../../bot/engine/workflows/beginRun.ts';
import { cancelRun, cancelRunsAt } from '../../../bot/engine/workflows/cancelRun.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import {
  abortHere,
  holdRun,
  isActiveHere,
  isDeadOwner,
  processName,
  releaseRun,
  takeRun,
} from '../../../bot/engine/workflows/lease.ts';
import { rested, showProgress, viewProgress } from '../../../bot/engine/workflows/progress.ts';
import { resumeRun } from '../../../bot/engine/workflows/resumeRun.ts';
import { startRun } from '../../../bot/engine/workflows/startRun.ts';
import { type Asker, confirmationFor, supersede } from '../../../bot/engine/workflows/supersede.ts';
import { sweepWaiting } from '../../../bot/engine/workflows/sweepRuns.ts';
import { RESTED, waitForRun } from '../../../bot/engine/workflows/waitForRun.ts';
import { continueRun, questionOf, withdraw } from '../../../bot/engine/workflows/withdraw.ts';
import { registerWorkflow, type Step, workflowNamed } from '../../../bot/engine/workflows/workflow.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { RunProgress } from '../../../models/contracts/chat.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Message } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { Subscription } from '../../../models/subscription.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { Workspace } from '../../../models/workspace.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { keepRun, makeRun as makeAnyRun, readRun } from '../../factories/runs.ts';
import { everywhere } from '../../factories/turns.ts';
import { makeChannel } from '../../fakes/channel.ts';

connectTestStore();
let accountId: number;
let who: Who;
let shown: RunProgress[];
let next: Step;
let ended: string[];

beforeAll(async () => {
  const steps = {
    one: { label: 'First', run: (context: Parameters<Step>[0]) => next(context) },
    two: { label: 'Second', run: async () => ({ done: { output: 'done' } }), brief: true },
    three: { label: 'Third', run: async () => ({ done: { output: 'done' } }) },
  };
  const undo = async ({ status }: { status: string }) => void ended.push(status);
  registerWorkflow({
    name: 'kept-titled',
    title: 'Titled',
    first: 'one',
    reserve: 10,
    steps,
    exclusive: true,
    ended: undo,
  });
  registerWorkflow({ name: 'kept-plain', title: null, first: 'one', reserve: 0, steps });
});
beforeEach(() => {
  accountId = nextNumber();
  ended = [];
  shown = [];
  next = async () => ({ next: 'two' });
  registerChannel(makeChannel({ progress: (_conversation, progress) => void shown.push(progress) }).channel);
  who = makeWho({ accountId });
});

const refusal = (code: string) => expect.objectContaining({ code });
const open = (account = accountId) =>
  everywhere(() => openConversation(account, { channel: 'slack', conversation: `C${nextNumber()}`, thread: null }));
const makeRun = (more: Partial<RunRow> = {}): RunRow =>
  makeAnyRun({ accountId, workflow: 'kept-titled', userId: who.userId, ...more });
const write = (more: Partial<RunRow> = {}) => keepRun(makeRun(more));
const read = readRun;
/** A run that waits for a question. */
const ask = async (more: Partial<InterruptRow> = {}, run: Partial<RunRow> = {}) => {
  const _id = nextNumber();
  const waiting = await write({ status: 'waiting', step: 'three', round: 1, state: { interruptId: _id }, ...run });
  const row = makeInterrupt({ _id, accountId, askKey: String(_id), runId: waiting._id, ...more });
  await everywhere(() => Interrupt.create(row));
  return { run: waiting, row };
};
const question = async ({ _id }: InterruptRow) =>
  (await everywhere(() => Interrupt.findOne({ _id }).lean())) as InterruptRow;
const said = async () =>
  (await everywhere(() => Message.find({ accountId }).sort({ _id: 1 }).lean())).map(({ key, kind, text }) => ({
    key,
    kind,
    text,
  }));
const resolution = {
  outcome: 'approved',
  by: { userId: 3, name: 'Bo' },
  via: 'inbox',
  reason: null,
  at: new Date('2026-03-04T14:02:00Z'),
} as const;
const resolved = { status: 'resolved', resolution } as const;

describe('how far a run is', () => {
  const view = (more: Partial<RunRow>) => viewProgress(makeRun(more));
  const states = (more: Partial<RunRow>) => view(more).steps.map(({ state }) => state);

  test.each<[more: Partial<RunRow>, states: string[], status: string, cancellable: boolean]>([
    [{}, ['doing', 'todo', 'todo'], 'working', true],
    [{ step: 'two', status: 'waiting' }, ['done', 'doing', 'todo'], 'waiting', true],
    [{ step: 'three', status: 'failed' }, ['done', 'done', 'doing'], 'failed', false],
    [{ step: 'two', status: 'completed' }, ['done', 'done', 'done'], 'completed', false],
    [{ step: 'gone', status: 'cancelled' }, ['todo', 'todo', 'todo'], 'cancelled', false],
  ])('%j: %j', (more, expected, status, cancellable) => {
    expect(states(more)).toEqual(expected);
    expect(view(more)).toMatchObject({ status, cancellable, done: 0, total: 0, agentName: 'Clara', title: 'Titled' });
  });

  test('is told by its step, and within a step by what it says itself, ten times a second at most', async () => {
    const conversation = await open();
    const run = makeRun({ workspaceId: 9, agentId: 'nobody' as never });
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
    expect(shown.map(({ label, done, total, status }) => [label, done, total, status])).toEqual([
      ['First', 0, 0, 'working'],
      ['Most', 2, 3, 'working'],
      ['Second', 0, 0, 'working'],
      ['First', 0, 0, 'completed'],
      ['Late', 1, 1, 'working'],
    ]);
    expect(shown[0]).toMatchObject({
      runId: String(run._id),
      workspaceId: 9,
      agentName: 'nobody',
      startedAt: run.createdAt.toISOString(),
      steps: [{ id: 'one', label: 'First', state: 'doing' }, { id: 'two' }, { id: 'three' }],
    });
  });

  test('is not told of plain answers, nor where nobody watches', async () => {
    const conversation = await open();
    showProgress(makeRun({ workflow: 'kept-plain' }), conversation);
    showProgress(makeRun(), null);
    expect(shown).toEqual([]);
    expect(viewProgress(makeRun({ workflow: 'kept-plain' })).title).toBe('');
    expect(() => workflowNamed('none')).toThrow('No workflow is called none.');
  });
});

describe('who works on a run', () => {
  test.each<[what: string, owner: string, dead: boolean]>([
    ['this process', processName, false],
    ['another host’s', 'elsewhere:1:x', false],
    ['one that lives', `${hostname()}:${process.ppid}:x`, false],
    ['an earlier life with the same id', `${hostname()}:${process.pid}:x`, true],
    ['one that is no more', `${hostname()}:4194305:x`, true],
  ])('%s', (_what, owner, dead) => {
    expect(isDeadOwner(owner)).toBe(dead);
  });

  test.each<[what: string, more: Partial<RunRow>, taken: boolean]>([
    ['nobody', { lease: null }, true],
    ['somebody until a moment ago', { lease: { owner: 'x', until: new Date(Date.now() - 1) } }, true],
    ['somebody', { lease: { owner: 'x', until: new Date(Date.now() + 60_000) } }, false],
    ['nobody, because it waits', { lease: null, status: 'waiting' }, false],
  ])('%s', async (_what, more, taken) => {
    const [other, run] = [await write(more), await write(more)];
    const found = await everywhere(() => takeRun(run._id));
    const now = await read(run);
    if (taken) expect(found).toMatchObject({ version: 2, attempts: 2, lease: { owner: processName } });
    else expect(found).toBeNull();
    expect(now).toMatchObject(taken ? { version: 2, attempts: 2 } : { version: 1, attempts: 1 });
    if (taken) expect((now.lease?.until.getTime() ?? 0) - Date.now()).toBeGreaterThan(10_000);
    expect((await read(other)).version).toBe(1);
  });

  test('is known here while it is worked on, and can be stopped', () => {
    const runId = new Types.ObjectId();
    expect([isActiveHere(runId), abortHere(runId)]).toEqual([false, false]);
    const { signal } = holdRun(runId);
    expect([isActiveHere(String(runId)), signal.aborted]).toEqual([true, false]);
    expect([abortHere(String(runId)), signal.aborted]).toEqual([true, true]);
    releaseRun(runId);
    expect(isActiveHere(runId)).toBe(false);
  });
});

describe('whoever waits for a run', () => {
  test.each<[status: RunRow['status'], states: typeof RESTED | undefined, found: boolean]>([
    ['completed', undefined, true],
    ['failed', undefined, true],
    ['cancelled', undefined, true],
    ['waiting', undefined, false],
    ['waiting', RESTED, true],
    ['completed', RESTED, true],
    ['ready', RESTED, false],
  ])('is told of %s among %j: %j', async (status, states, found) => {
    const run = await write({ status });
    const waited = await everywhere(() => waitForRun(run._id, 20, states));
    expect(waited?.status ?? null).toBe(found ? status : null);
    expect(rested.listenerCount(String(run._id))).toBe(0);
  });

  test('is told at once by this process, and by another one’s write within half a second', async () => {
    const run = await write();
    const told = everywhere(() => waitForRun(run._id, 10_000));
    rested.emit(String(run._id), { ...run, status: 'waiting' });
    rested.emit(String(run._id), { ...run, status: 'completed', error: 'told' });
    expect(await told).toMatchObject({ error: 'told' });
    const seen = everywhere(() => waitForRun(run._id, 10_000));
    await everywhere(() => Run.updateOne({ _id: run._id }, { $set: { status: 'failed' } }));
    expect(await seen).toMatchObject({ status: 'failed' });
  });
});

describe('a run that is started', () => {
  const agent = findAgent('clinical_safety')!;
  const grant = (amount: number) => everywhere(() => grantCredits(accountId, amount, 'k', 'n'));
  const subscribe = () => {
    const trialEndsAt = new Date(Date.now() + 86_400_000);
    return everywhere(() => Subscription.create({ _id: nextNumber(), accountId, status: 'trial', trialEndsAt }));
  };
  const pay = () => Promise.all([subscribe(), grant(100)]);
  const given = (conversation: ConversationRow | null, more: object = {}) => ({
    workflow: 'kept-titled',
    userAgent: { _id: 5, accountId } as UserAgentRow,
    agent,
    conversation,
    userId: who.userId,
    startKey: String(nextNumber()),
    goal: 'Try',
    state: { a: 1 },
    ...more,
  });
  const start = (it: ReturnType<typeof given>) => everywhere(() => startRun(it));
  const remaining = async () => (await everywhere(() => readBalance(accountId))).tokensRemaining;

  test('is kept, paid for, leased to this process and shown as work', async () => {
    await pay();
    const conversation = await open();
    const { run, created } = await start(given(conversation));
    expect(created).toBe(true);
    expect(await read(run)).toMatchObject({
      accountId,
      workflow: 'kept-titled',
      userAgentId: 5,
      agentId: 'clinical_safety',
      conversationId: conversation._id,
      userId: who.userId,
      exclusive: 'kept-titled',
      goal: 'Try',
      channel: 'slack',
      status: 'ready',
      step: 'one',
      round: 0,
      state: { a: 1 },
      version: 1,
      lease: { owner: processName },
      cancelRequested: false,
      attempts: 1,
      reserved: 10,
      spent: 0,
      error: null,
      endedAt: null,
    });
    expect(await remaining()).toBe(90);
    expect(await everywhere(() => Workspace.find({ accountId }).lean())).toMatchObject([
      {
        _id: run.workspaceId,
        userAgentId: 5,
        agentId: 'clinical_safety',
        runId: run._id,
        status: 'working',
        goal: 'Try',
      },
    ]);
    const plain = await start(given(null, { workflow: 'kept-plain' }));
    expect(plain.run).toMatchObject({ workspaceId: null, exclusive: null, channel: 'api', conversationId: null });
    expect(await remaining()).toBe(90);
  });

  test('is started once by its key, and one at a time in a conversation', async () => {
    await pay();
    const [conversation, elsewhere] = [await open(), await open()];
    const it = given(conversation);
    const { run } = await start(it);
    expect(await start(it)).toMatchObject({ created: false, run: { _id: run._id } });
    await expect(start(given(conversation))).rejects.toEqual(refusal('run_in_progress'));
    expect(await start(given(elsewhere))).toMatchObject({ created: true });
    expect(await remaining()).toBe(80);
    expect(await everywhere(() => Run.countDocuments({ accountId }))).toBe(2);
  });

  test('is refused without credits or a plan, and leaves nothing', async () => {
    const conversation = await open();
    await grant(100);
    await expect(start(given(conversation))).rejects.toEqual(refusal('trial_over'));
    accountId = nextNumber();
    await Promise.all([subscribe(), grant(9)]);
    await expect(start(given(conversation))).rejects.toEqual(refusal('out_of_credit'));
    expect(await everywhere(() => Run.countDocuments({ accountId }))).toBe(0);
    expect(await everywhere(() => Workspace.countDocuments({ accountId }))).toBe(0);
    expect(await start(given(null, { workflow: 'kept-plain' }))).toMatchObject({ created: true });
  });

  test('in the place of one that waits withdraws nothing where it can’t be paid for, or is there already', async () => {
    const conversation = await open();
    const { run, row } = await ask({}, { conversationId: conversation._id });
    const begin = (it: ReturnType<typeof given>) => everywhere(() => beginRun(it, async () => ({ who })));
    await grant(100);
    await expect(begin(given(conversation))).rejects.toEqual(refusal('trial_over'));
    expect((await question(row)).status).toBe('pending');
    await subscribe();
    expect(await begin(given(conversation, { startKey: run.startKey }))).toMatchObject({
      created: false,
      run: { _id: run._id },
    });
    expect((await question(row)).status).toBe('pending');
    expect(await begin(given(conversation))).toMatchObject({ created: true });
    expect([(await question(row)).status, (await read(run)).status]).toEqual(['cancelled', 'cancelled']);
  });

  test('counts what its steps cost, and gives back what it did not use', async () => {
    await pay();
    const conversation = await open();
    next = async ({ progress, say }) => {
      await say({ key: 'mine', kind: 'text', text: 'Hello' });
      progress('Now', 1, 2);
      return { next: 'two', cost: 4, state: { b: 2 } };
    };
    const { run } = await start(given(conversation));
    await executeRun(run, conversation);
    expect(await read(run)).toMatchObject({
      status: 'completed',
      spent: 4,
      state: { a: 1, b: 2 },
      step: 'two',
      lease: null,
      error: null,
      version: 3,
    });
    expect((await read(run)).endedAt).toEqual(expect.any(Date));
    expect(await remaining()).toBe(96);
    expect(await said()).toEqual([{ key: `run:${run._id}:mine`, kind: 'text', text: 'Hello' }]);
    expect(await everywhere(() => Workspace.find({ accountId }).lean())).toMatchObject([
      { status: 'completed', output: 'done' },
    ]);
    expect(shown.at(-1)?.status).toBe('completed');
    expect(ended).toEqual([]);
    expect(isActiveHere(run._id)).toBe(false);
  });
});

describe('a run at work', () => {
  const work = (run: RunRow, conversation: ConversationRow | null = null) => executeRun(run, conversation);

  test('that asks waits with its question, and goes on with what its step has given', async () => {
    next = async () => ({
      ask: { interruptType: 'approval', prompt: 'Shall I?' },
      next: 'three',
      cost: 2,
      state: { b: 2 },
    });
    const run = await write({ state: { a: 1 }, attempts: 1 });
    await work(run);
    const now = await read(run);
    expect(now).toMatchObject({
      status: 'waiting',
      step: 'three',
      round: 1,
      state: { a: 1, b: 2 },
      spent: 2,
      attempts: 0,
      lease: null,
      version: 2,
    });
    expect(await everywhere(() => questionOf(now))).toMatchObject({
      status: 'pending',
      runId: run._id,
      prompt: 'Shall I?',
    });
  });

  test.each<[round: number, status: RunRow['status']]>([
    [0, 'cancelled'],
    [1, 'completed'],
  ])('that is stopped in round %i is %s: what was answered goes on', async (round, status) => {
    const run = await write({ round });
    next = async () => {
      abortHere(run._id);
      return { next: 'two' };
    };
    await work(run);
    expect((await read(run)).status).toBe(status);
    expect(ended).toEqual(status === 'cancelled' ? ['cancelled'] : []);
  });

  test.each<[attempts: number, status: RunRow['status'], seconds: number]>([
    [1, 'ready', 1],
    [2, 'ready', 2],
    [3, 'failed', 0],
  ])('whose step fails at attempt %i is %s', async (attempts, status, seconds) => {
    next = () => Promise.reject(new Error('a disk broke'));
    const conversation = await open();
    const run = await write({ attempts, lease: { owner: 'me', until: new Date(0) }, conversationId: conversation._id });
    const begun = Date.now();
    await work(run, conversation);
    const now = await read(run);
    expect(now).toMatchObject({ status, attempts, version: 2 });
    if (status === 'ready') {
      expect(now.lease?.owner).toBe('me');
      expect(now.lease?.until.getTime()).toBeGreaterThanOrEqual(begun + seconds * 1000);
      expect(now.lease?.until.getTime()).toBeLessThanOrEqual(Date.now() + seconds * 1000);
    }
    expect((await said()).map(({ kind }) => kind)).toEqual(status === 'failed' ? ['failed'] : []);
    expect(ended).toEqual(status === 'failed' ? ['failed'] : []);
  });

  test('whose question was withdrawn has no answer to go on with, and ends', async () => {
    next = async ({ answer }) => {
      await answer();
      return { next: 'two' };
    };
    const { run } = await ask({ status: 'cancelled' }, { status: 'ready', step: 'one' });
    await work(run);
    expect((await read(run)).status).toBe('cancelled');
    const waits = await ask({}, { status: 'ready', step: 'one', attempts: 3 });
    await work(waits.run);
    expect(await read(waits.run)).toMatchObject({ status: 'failed' });
    const { run: going } = await ask(resolved, { status: 'ready', step: 'one' });
    await work(going);
    expect((await read(going)).status).toBe('completed');
  });
});

describe('a question that a newer run would withdraw', () => {
  const make = (conversation: ConversationRow | null, asker: Asker = { who }, workflow = 'kept-titled') => {
    const asked = jest.fn(async () => asker);
    return { asked, done: everywhere(() => supersede(conversation, workflow, asked)) };
  };
  const draft = (rows: { id: string; outcome: 'accepted' | 'rejected' }[]) => ({
    rows,
    version: 4,
    savedAt: null,
    savedBy: null,
  });
  const proposals = [
    makeProposal({ id: 'a', rejectedBefore: { by: 'Bo', at: '2026-01-01', reason: null } }),
    makeProposal({ id: 'b' }),
  ];
  const review = { interruptType: 'hazard_review' as const, context: { rows: proposals } };

  test('nobody is asked where there is nothing to withdraw', async () => {
    const conversation = await open();
    await ask({}, { conversationId: conversation._id, workflow: 'kept-plain' });
    await ask({}, { conversationId: (await open())._id });
    await ask({}, { conversationId: conversation._id, accountId: nextNumber() });
    await ask({}, { conversationId: conversation._id, status: 'completed' });
    for (const [at, workflow] of [
      [null, 'kept-titled'],
      [conversation, 'kept-plain'],
      [conversation, 'kept-titled'],
    ] as const) {
      const { asked, done } = make(at, { who }, workflow);
      await done;
      expect(asked).not.toHaveBeenCalled();
    }
    expect(await everywhere(() => Interrupt.countDocuments({ accountId, status: 'cancelled' }))).toBe(0);
  });

  test('is withdrawn by who may answer it, and its run says why', async () => {
    const conversation = await open();
    const { run, row } = await ask({}, { conversationId: conversation._id });
    await make(conversation).done;
    expect((await question(row)).status).toBe('cancelled');
    expect(await read(run)).toMatchObject({ status: 'cancelled', error: null, lease: null });
    expect(await said()).toEqual([
      {
        key: `run:${run._id}:end`,
        kind: 'cancelled',
        text: expect.stringContaining('A newer analysis takes the place'),
      },
    ]);
    expect(ended).toEqual(['cancelled']);
  });

  test.each<[what: string, asker: () => Asker, code: string, text: RegExp]>([
    ['a schedule', () => 'schedule', 'review_open', /question \d+ waits\. Answer it first/],
    ['nobody known', () => ({ who: null }), 'review_not_yours', /A question is open \(question \d+\)/],
    ['a member', () => ({ who: { ...who, roles: ['member'] } }), 'review_not_yours', /Only a person who may answer it/],
  ])('is not withdrawn by %s', async (_what, asker, code, text) => {
    const conversation = await open();
    const { run, row } = await ask({}, { conversationId: conversation._id });
    const refused = await make(conversation, asker()).done.catch((error: unknown) => error);
    expect(refused).toMatchObject({ code, values: { text: expect.stringMatching(text) } });
    expect([(await question(row)).status, (await read(run)).status]).toEqual(['pending', 'waiting']);
    await everywhere(() => Interrupt.updateOne({ _id: row._id }, { $set: { interruptType: 'hazard_review' } }));
    if (code === 'review_not_yours')
      await expect(make(conversation, asker()).done).rejects.toThrow(`A review is open (question ${row._id})`);
  });

  test.each<[rows: Parameters<typeof draft>[0], decided: number]>([
    [[], 0],
    [[{ id: 'a', outcome: 'rejected' }], 0],
    [[{ id: 'a', outcome: 'accepted' }], 1],
    [[{ id: 'b', outcome: 'rejected' }], 1],
    [
      [
        { id: 'a', outcome: 'accepted' },
        { id: 'b', outcome: 'accepted' },
      ],
      2,
    ],
  ])('with %j in its draft needs the words for it: %i decided', async (rows, decided) => {
    const conversation = await open();
    const { row } = await ask({ ...review, draft: draft(rows) }, { conversationId: conversation._id });
    const outcome = await make(conversation).done.catch((error: unknown) => error);
    if (decided === 0) {
      expect((await question(row)).status).toBe('cancelled');
      return;
    }
    expect(outcome).toMatchObject({
      code: 'review_open',
      standing: { interruptId: row._id, decided, proposed: 2 },
      values: { text: expect.stringContaining(`${decided} of 2 proposals are decided in the open review.`) },
    });
    expect(outcome).toMatchObject({ values: { text: expect.stringContaining(confirmationFor(row._id)) } });
    await expect(make(conversation, { who, withdraws: row._id + 1 }).done).rejects.toEqual(refusal('review_open'));
    expect((await question(row)).status).toBe('pending');
    await make(conversation, { who, withdraws: row._id }).done;
    expect((await question(row)).status).toBe('cancelled');
  });

  test('is not withdrawn while work of the kind goes on', async () => {
    const conversation = await open();
    const at = { conversationId: conversation._id };
    const { row } = await ask({}, at);
    await write({ ...at, step: 'one' });
    await expect(make(conversation).done).rejects.toEqual(refusal('run_in_progress'));
    expect((await question(row)).status).toBe('pending');
  });

  test('that was answered is not withdrawn: its run ends first', async () => {
    const conversation = await open();
    const { run, row } = await ask(resolved, { conversationId: conversation._id });
    await make(conversation).done;
    expect((await question(row)).status).toBe('resolved');
    expect((await read(run)).status).toBe('completed');
  });
});

describe('a run that waits', () => {
  const of = (run: RunRow) => everywhere(() => withdraw(run, null));

  test('is withdrawn with its question, but not once that is answered or its draft is another', async () => {
    const asked = await ask({ draft: { rows: [], version: 4, savedAt: null, savedBy: null } });
    const other = await ask();
    expect(await everywhere(() => withdraw(asked.run, null, 'Why', 3))).toBe('changed');
    expect([(await question(asked.row)).status, (await read(asked.run)).status]).toEqual(['pending', 'waiting']);
    expect(await everywhere(() => withdraw(asked.run, null, 'Why', 4))).toBe('withdrawn');
    expect([(await question(asked.row)).status, (await read(asked.run)).status]).toEqual(['cancelled', 'cancelled']);
    expect((await question(other.row)).status).toBe('pending');
    const answered = await ask(resolved);
    expect(await of(answered.run)).toBe('answered');
    expect((await read(answered.run)).status).toBe('waiting');
    expect(await of(await write({ status: 'waiting' }))).toBe('withdrawn');
    expect(await everywhere(() => questionOf({ state: { interruptId: String(asked.row._id) } }))).toBeNull();
  });

  test('goes on with its answer, once, and with no other', async () => {
    const { run, row } = await ask(resolved, { cancelRequested: true });
    expect(await everywhere(() => continueRun(run._id, { ...row, _id: nextNumber() }))).toBeNull();
    expect(await everywhere(() => continueRun(run._id, row))).toMatchObject({
      status: 'ready',
      version: 2,
      attempts: 1,
      cancelRequested: false,
      lease: { owner: processName },
    });
    expect(await everywhere(() => continueRun(run._id, row))).toBeNull();
    expect(await everywhere(() => waitForRun(run._id, 10_000))).toMatchObject({ status: 'completed' });
    // Its answer is in by now, and nothing is left to claim.
    await everywhere(() => resumeRun(row));
    expect((await read(run)).status).toBe('completed');
  });

  test('for an answer that can’t be claimed is told, so that the sweeper tries again', async () => {
    const { row } = await ask(resolved);
    const spy = jest.spyOn(Run, 'findOneAndUpdate').mockReturnValueOnce({ lean: async () => null } as never);
    try {
      await expect(everywhere(() => resumeRun(row))).rejects.toThrow('could not be claimed');
    } finally {
      spy.mockRestore();
    }
  });

  test('is swept: it goes on where it was answered, and ends where nothing is left to wait for', async () => {
    const [pending, answered, applied, gone, withdrawn, wanted] = [
      await ask(),
      await ask({ ...resolved, outbox: ['resume'] }),
      await ask({ ...resolved, outbox: ['audit'] }),
      await write({ status: 'waiting', state: { interruptId: nextNumber() } }),
      await ask({ status: 'cancelled' }),
      await ask({}, { cancelRequested: true }),
    ];
    const working = await ask({}, { cancelRequested: true, status: 'ready' });
    expect(await sweepWaiting()).toBeGreaterThanOrEqual(4);
    expect(await everywhere(() => waitForRun(applied.run._id, 10_000))).toMatchObject({ status: 'completed' });
    const statuses = await Promise.all([pending.run, answered.run, gone, withdrawn.run, wanted.run].map(read));
    expect(statuses.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'cancelled', 'cancelled', 'cancelled']);
    expect((await question(wanted.row)).status).toBe('cancelled');
    for (const { row } of [pending, working]) expect((await question(row)).status).toBe('pending');
  });
});

describe('whoever cancels a run', () => {
  const cancel = (run: Pick<RunRow, '_id'>, by = who) => everywhere(() => cancelRun(by, run._id));

  test('is somebody who may, of its account', async () => {
    const run = await write({ userId: nextNumber() });
    await expect(cancel({ _id: new Types.ObjectId() })).rejects.toEqual(refusal('not_found'));
    await expect(cancel(run, { ...who, accountId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(cancel(run, { ...who, roles: ['member'] })).rejects.toEqual(refusal('not_allowed'));
    expect((await read(run)).cancelRequested).toBe(false);
    const own = await write();
    await cancel(own, { ...who, roles: ['member'] });
    expect((await read(own)).cancelRequested).toBe(true);
  });

  test('stops the work here, and withdraws what it waits for', async () => {
    const [run, other] = [await write(), await write()];
    const { signal } = holdRun(run._id);
    await cancel(run);
    expect(signal.aborted).toBe(true);
    releaseRun(run._id);
    expect([(await read(run)).cancelRequested, (await read(other)).cancelRequested]).toEqual([true, false]);
    const waiting = await ask();
    await cancel(waiting.run);
    expect([(await question(waiting.row)).status, (await read(waiting.run)).status]).toEqual([
      'cancelled',
      'cancelled',
    ]);
    const over = await write({ status: 'completed' });
    await cancel(over);
    expect(await read(over)).toMatchObject({ status: 'completed', cancelRequested: false });
  });

  test.each<[status: RunRow['status'], more: string]>([
    ['waiting', ', and the work goes on with it.'],
    ['ready', ', and the work goes on with it.'],
    ['completed', '.'],
  ])('is told of an answer that came first, where it is %s', async (status, more) => {
    const { run } = await ask(resolved, { status });
    await expect(cancel(run)).rejects.toMatchObject({
      code: 'already_answered',
      values: {
        text: `This can’t be cancelled any more: it was answered already. Approved by Bo in the inbox, 14:02. That answer stands${more}`,
      },
    });
    expect(await read(run)).toMatchObject({ status, cancelRequested: false });
  });

  test('by the platform’s own Stop cancels what goes on there and is theirs, and is told what can’t be', async () => {
    const conversation = await open();
    const at = { conversationId: conversation._id };
    const foreign = nextNumber();
    await everywhere(() =>
      Conversation.create({
        accountId: foreign,
        key: conversationKey(conversation.address),
        address: conversation.address,
      }),
    );
    const [mine, theirs, elsewhere, over] = [
      await write(at),
      await write({ ...at, userId: nextNumber() }),
      await write({ conversationId: (await open())._id }),
      await write({ ...at, status: 'failed' }),
    ];
    const answered = await ask(resolved, at);
    const stop = (by: Who) => everywhere(() => cancelRunsAt(by, conversation.address));
    await stop({ ...who, accountId: foreign, roles: ['member'] });
    await stop({ ...who, roles: ['member'] });
    const requested = await Promise.all([mine, theirs, elsewhere, over].map(read));
    expect(requested.map(({ cancelRequested }) => cancelRequested)).toEqual([true, false, false, false]);
    expect(await said()).toEqual([
      {
        key: `run:${answered.run._id}:not-cancelled`,
        kind: 'refused',
        text: expect.stringContaining('That answer stands'),
      },
    ]);
    await stop(who);
    expect((await read(theirs)).cancelRequested).toBe(true);
    await everywhere(() => cancelRunsAt(who, { ...conversation.address, conversation: 'none' }));
  });
});

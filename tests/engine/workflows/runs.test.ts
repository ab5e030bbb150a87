import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { arcAddress, openConversation } from '../../../bot/engine/conversations/conversations.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { keepLeases } from '../../../bot/engine/workflows/lease.ts';
import { startRun } from '../../../bot/engine/workflows/startRun.ts';
import { sweepRuns } from '../../../bot/engine/workflows/sweepRuns.ts';
import { waitForRun } from '../../../bot/engine/workflows/waitForRun.ts';
import { registerWorkflow, type Step } from '../../../bot/engine/workflows/workflow.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { startSweepTimers } from '../../../models/store/dueTimers.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { Workspace } from '../../../models/workspace.ts';
import { eventually, type Person, signUpReady } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';

const ELSEWHERE = 'another-host:1:alive';
let server: Server;
let person: Person;
let first: Step;
let second: Step;
let ran: string[];

beforeAll(async () => {
  server = await startServer();
  person = await signUpReady(server);
  registerWorkflow({
    name: 'two-steps',
    title: 'Two steps',
    first: 'one',
    reserve: 10,
    steps: {
      one: { label: 'One', run: (context) => first(context) },
      two: { label: 'Two', run: (context) => second(context) },
    },
  });
}, 30_000);
afterAll(() => server.stop());
beforeEach(() => {
  ran = [];
  first = async () => {
    ran.push('one');
    return { next: 'two', cost: 3 };
  };
  second = async () => {
    ran.push('two');
    return { done: { output: 'done' } };
  };
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(person.user.accountId, work);
const read = ({ _id }: Pick<RunRow, '_id'>) => inAccount(() => Run.findOne({ _id }).lean()).then(requireRow);
const change = ({ _id }: Pick<RunRow, '_id'>, it: object) => inAccount(() => Run.updateOne({ _id }, it));
const used = async () => (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed as number;
const said = async () =>
  ((await person.browser.get('/api/arc-chat/history?limit=200')).body.messages as ChatMessage[]).map(
    ({ message }) => message,
  );

/** A run of the two steps, started and not worked on yet. */
function begin(): Promise<RunRow> {
  const { accountId, id: userId } = person.user;
  return inAccount(async () => {
    const userAgent = requireRow(await UserAgent.findOne({ accountId }).lean());
    const agent = findAgent('clinical_safety');
    if (!agent) throw new Error('no agent');
    const conversation = await openConversation(accountId, arcAddress(userId));
    const it = { workflow: 'two-steps', userAgent, agent, conversation, userId, goal: 'Two steps', state: {} };
    return (await startRun({ ...it, startKey: randomUUID() })).run;
  });
}
/** Lets the lease expire, and the sweeper claim the run again. */
async function sweepAgain(run: RunRow): Promise<RunRow> {
  const { version } = await read(run);
  await change(run, { $set: { 'lease.until': new Date(0) } });
  await sweepRuns();
  return eventually(async () => {
    const now = await read(run);
    return now.version > version && leaseSeconds(now) < 5 ? now : null;
  }, 'the next attempt to end');
}
const leaseSeconds = ({ lease }: RunRow) => ((lease?.until.getTime() ?? 0) - Date.now()) / 1000;

describe('a step that fails through our fault', () => {
  test('is retried with growing delays; the third failure ends the run, says so and returns credits', async () => {
    first = async () => {
      ran.push('one');
      throw new Error('a disk broke');
    };
    const before = await used();
    const run = await begin();
    const woken: string[] = [];
    const sweep = (name: string) => async () => woken.push(name);
    const [runs, turns] = [sweep('runs'), sweep('turns')];
    const stop = startSweepTimers({ consequences: turns, runs, turns, deliveries: turns });
    try {
      await executeRun(run);
      const once = await read(run);
      expect(once).toMatchObject({ status: 'ready', step: 'one', attempts: 1 });
      expect(leaseSeconds(once)).toBeGreaterThan(0.5);
      expect(leaseSeconds(once)).toBeLessThanOrEqual(1);
      // Nobody claims it before its time; at its time this process does.
      expect(await inAccount(() => Run.exists({ _id: run._id, 'lease.until': { $lte: new Date() } }))).toBeNull();
      await eventually(async () => woken.length > 0, 'the timer');
      expect(woken).toEqual(['runs']);
    } finally {
      stop();
    }
    const twice = await sweepAgain(run);
    expect(twice).toMatchObject({ status: 'ready', attempts: 2 });
    expect(leaseSeconds(twice)).toBeGreaterThan(1.2);
    expect(leaseSeconds(twice)).toBeLessThanOrEqual(2);
    expect(await used()).toBe(before + 10);
    expect(await sweepAgain(run)).toMatchObject({ status: 'failed', attempts: 3, lease: null });
    expect(ran).toEqual(['one', 'one', 'one']);
    expect(await used()).toBe(before);
    expect((await said()).at(-1)).toContain(`${run._id}`);
    expect(await inAccount(() => Workspace.findOne({ runId: run._id }).lean())).toMatchObject({ status: 'failed' });
    await sweepRuns();
    expect(ran).toHaveLength(3);
  });

  test('has its own count: a successful step leaves the next one all its attempts', async () => {
    let fails = 2;
    const flaky = async () => {
      fails -= 1;
      if (fails >= 0) throw new Error('a disk broke');
      fails = 2;
    };
    first = () => flaky().then(() => ({ next: 'two', cost: 3 }));
    second = () => flaky().then(() => ({ done: { output: 'done' } }));
    const before = await used();
    const run = await begin();
    await executeRun(run);
    const seen: unknown[] = [];
    while (seen.length < 4) {
      const { status, step, attempts } = await sweepAgain(run);
      seen.push([status, step, attempts]);
    }
    expect(seen).toEqual([
      ['ready', 'one', 2],
      ['ready', 'two', 1],
      ['ready', 'two', 2],
      ['completed', 'two', 3],
    ]);
    expect(await used()).toBe(before + 3);
  });

  test('is not retried for the caller’s error, which is reported at once', async () => {
    first = async () => {
      ran.push('one');
      throw new AppError('no_log');
    };
    const run = await begin();
    await executeRun(run);
    expect(await read(run)).toMatchObject({ status: 'failed', attempts: 1 });
    expect(ran).toEqual(['one']);
  });
});

describe('a run that another process took over', () => {
  const taken = { $set: { lease: { owner: ELSEWHERE, until: new Date(Date.now() + 60_000) } }, $inc: { version: 1 } };

  test.each<[what: string, end: Step]>([
    ['continues', async () => ({ next: 'two' })],
    ['is done', async () => ({ done: { output: 'mine' } })],
    ['asks', async () => ({ ask: { interruptType: 'approval', prompt: 'Shall I?' }, next: 'two' })],
    [
      'fails',
      async () => {
        throw new Error('a disk broke');
      },
    ],
  ])('keeps what the other one writes, if the step here %s', async (_what, end) => {
    const run = await begin();
    first = async (context) => {
      await change(run, taken);
      return end(context);
    };
    await executeRun(run);
    expect(await read(run)).toMatchObject({
      status: 'ready',
      step: 'one',
      round: 0,
      version: run.version + 1,
      lease: { owner: ELSEWHERE },
    });
    expect(ran).toEqual([]);
  });
});

describe('the lease of a running run', () => {
  /** The leases of another process, with a renewal timer that the test controls. */
  function anotherProcess() {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });
    const processName = `elsewhere:1:${randomUUID()}`;
    return { processName, ...keepLeases(processName) };
  }
  const soon = () => new Date(Date.now() + 1000);

  test('is renewed every five seconds, its own only; a cancellation from elsewhere stops the run', async () => {
    const lease = anotherProcess();
    try {
      const [mine, lost] = [await begin(), await begin()];
      await change(mine, { $set: { lease: { owner: lease.processName, until: soon() } } });
      await change(lost, { $set: { lease: { owner: ELSEWHERE, until: soon() } } });
      const [held, other] = [lease.holdRun(mine._id), lease.holdRun(lost._id)];
      jest.advanceTimersByTime(5000);
      await eventually(async () => leaseSeconds(await read(mine)) > 10, 'the renewed lease');
      expect((await read(mine)).lease?.owner).toBe(lease.processName);
      expect(await read(lost)).toMatchObject({ lease: { owner: ELSEWHERE } });
      expect(leaseSeconds(await read(lost))).toBeLessThan(2);
      expect([held.signal.aborted, other.signal.aborted]).toEqual([false, false]);

      await change(mine, { $set: { cancelRequested: true } });
      jest.advanceTimersByTime(5000);
      await eventually(async () => held.signal.aborted, 'the cancel to be heard');
      expect(other.signal.aborted).toBe(false);

      // The lease of a run that is not worked on here is left to expire.
      lease.releaseRun(mine._id);
      const still = await begin();
      await change(still, { $set: { lease: { owner: lease.processName, until: soon() } } });
      lease.holdRun(still._id);
      await change(mine, { $set: { 'lease.until': soon() } });
      jest.advanceTimersByTime(5000);
      await eventually(async () => leaseSeconds(await read(still)) > 10, 'the renewed lease');
      expect(leaseSeconds(await read(mine))).toBeLessThan(2);
      for (const run of [still, lost]) await change(run, { $set: { status: 'cancelled' } });
      await change(mine, { $set: { status: 'cancelled' } });
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([
    ['it has ended', `${ELSEWHERE}`, -1],
    // A process id above the maximum of Linux.
    ['its owner is dead', `${hostname()}:4194305:gone`, 60_000],
  ])('keeps other processes away until %s', async (_when, owner, milliseconds) => {
    const run = await begin();
    const at = (holder: string, wait: number) =>
      change(run, { $set: { lease: { owner: holder, until: new Date(Date.now() + wait) } } });
    await at(ELSEWHERE, 60_000);
    await sweepRuns();
    expect((await read(run)).attempts).toBe(1);
    await at(owner, milliseconds);
    await sweepRuns();
    expect(await inAccount(() => waitForRun(run._id, 10_000))).toMatchObject({ status: 'completed' });
    expect(ran).toEqual(['one', 'two']);
  });
});

test('a cancellation noted by another process ends the run before its next step, and returns unused credits', async () => {
  const before = await used();
  const run = await begin();
  first = async () => {
    await change(run, { $set: { cancelRequested: true } });
    throw new Error('a disk broke');
  };
  await executeRun(run);
  first = async () => {
    ran.push('one');
    return { next: 'two' };
  };
  await change(run, { $set: { 'lease.until': new Date(0) } });
  await sweepRuns();
  expect(await inAccount(() => waitForRun(run._id, 10_000))).toMatchObject({ status: 'cancelled' });
  expect(ran).toEqual([]);
  expect(await used()).toBe(before);
  expect(await inAccount(() => Interrupt.countDocuments({ runId: run._id, status: 'pending' }))).toBe(0);
});

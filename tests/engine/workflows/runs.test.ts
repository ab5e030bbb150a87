import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { arcAddress, openConversation } from '../../../bot/engine/conversations/conversations.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { runs } from '../../../bot/engine/workflows/lease.ts';
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
import { defineWork } from '../../../models/store/work.ts';
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
  await change(run, { $set: { dueAt: new Date(0), lease: null } });
  await sweepRuns();
  return eventually(async () => {
    const now = await read(run);
    return now.version > version && now.lease === null ? now : null;
  }, 'the next attempt to end');
}
const secondsUntilDue = ({ dueAt }: RunRow) => ((dueAt?.getTime() ?? 0) - Date.now()) / 1000;

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
    const turns = sweep('turns');
    const stop = startSweepTimers({ consequences: turns, runs: sweep('runs'), turns, deliveries: turns });
    try {
      await executeRun(run);
      const once = await read(run);
      expect(once).toMatchObject({ status: 'ready', step: 'one', attempts: 1 });
      expect(secondsUntilDue(once)).toBeGreaterThan(0.2);
      expect(secondsUntilDue(once)).toBeLessThanOrEqual(1.25);
      // Nobody claims it before its time; at its time this process does.
      expect(await inAccount(() => Run.exists({ _id: run._id, dueAt: { $lte: new Date() } }))).toBeNull();
      await eventually(async () => woken.length > 0, 'the timer');
      expect(woken).toEqual(['runs']);
    } finally {
      stop();
    }
    const twice = await sweepAgain(run);
    expect(twice).toMatchObject({ status: 'ready', attempts: 2 });
    expect(secondsUntilDue(twice)).toBeGreaterThan(0.9);
    expect(secondsUntilDue(twice)).toBeLessThanOrEqual(2.5);
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
  test('is renewed every five seconds while it is worked on; a cancellation from elsewhere stops the work', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });
    try {
      const run = await begin();
      let signal: AbortSignal | undefined;
      let finish = () => {};
      first = (context) => {
        ({ signal } = context);
        return new Promise((resolve) => {
          finish = () => resolve({ next: 'two' });
        });
      };
      const executed = executeRun(run);
      await eventually(async () => signal, 'the step');
      await change(run, { $set: { dueAt: new Date(Date.now() + 1000) } });
      const renew = () => inAccount(async () => jest.advanceTimersByTime(5000));
      await renew();
      await eventually(async () => secondsUntilDue(await read(run)) > 10, 'the renewed lease');
      expect((await read(run)).lease).toEqual(run.lease);
      expect(signal?.aborted).toBe(false);
      await change(run, { $set: { cancelRequested: true } });
      await renew();
      await eventually(async () => signal?.aborted, 'the cancel');
      finish();
      await executed;
      expect(await read(run)).toMatchObject({ status: 'cancelled', lease: null });
    } finally {
      jest.useRealTimers();
    }
  });

  test('that is lost stops the work here: nothing more is said or saved, and the other process ends it', async () => {
    const run = await begin();
    const before = await said();
    first = async ({ signal }) => {
      await change(run, { $set: { lease: null, dueAt: new Date(0) } });
      const other = requireRow(await inAccount(async () => defineWork(runs.kind).claim(await read(run), true)));
      expect(other).toMatchObject({ version: run.version + 1, attempts: 2 });
      await eventually(async () => signal.aborted, 'the loss of the lease', 20_000);
      ran.push('late');
      throw new Error('stopped');
    };
    await executeRun(run);
    expect(ran).toEqual(['late']);
    expect(await read(run)).toMatchObject({ status: 'ready', step: 'one', version: run.version + 1, attempts: 2 });
    expect(await said()).toEqual(before);
    await change(run, { $set: { status: 'cancelled' } });
  }, 60_000);

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

test('a run that a person waits for goes before scheduled ones, however long those are due', async () => {
  const started: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  first = async ({ run }) => {
    started.push(String(run._id));
    await held;
    return { done: { output: 'done' } };
  };
  // One company has half of the places of a process, which are eight.
  const scheduled: RunRow[] = [];
  for (let at = 0; at < 9; at += 1) scheduled.push(await begin());
  const asked = await begin();
  for (const run of [...scheduled, asked])
    await change(run, {
      $set: { dueAt: new Date(0), lease: null, ...(run === asked ? {} : { startKey: `automation:${run._id}` }) },
    });
  await sweepRuns();
  await eventually(async () => started.length === 8, 'as many runs as one company may have');
  expect(started).toContain(String(asked._id));
  release();
  await eventually(async () => started.length === 10, 'the others');
  for (const run of [...scheduled, asked])
    await eventually(async () => (await read(run)).status === 'completed', 'every run to end');
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
  await change(run, { $set: { dueAt: new Date(0), lease: null } });
  await sweepRuns();
  expect(await inAccount(() => waitForRun(run._id, 10_000))).toMatchObject({ status: 'cancelled' });
  expect(ran).toEqual([]);
  expect(await used()).toBe(before);
  expect(await inAccount(() => Interrupt.countDocuments({ runId: run._id, status: 'pending' }))).toBe(0);
});

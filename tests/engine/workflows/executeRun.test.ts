/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { grantCredits, readBalance, readReserved, reserveCredits } from '../../../bot/engine/credits/credits.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { runs } from '../../../bot/engine/workflows/lease.ts';
import { stoppedRuns } from '../../../bot/engine/workflows/progress.ts';
import { questionOf } from '../../../bot/engine/workflows/withdraw.ts';
import type { Step } from '../../../bot/engine/workflows/workflow.ts';
import { AppError, plainText } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { logger } from '../../../models/logger.ts';
import { Message } from '../../../models/message.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { readRun } from '../../factories/runs.ts';
import { inEveryAccount, openPlace, readMessages } from '../../factories/turns.ts';
import { connectWorkflows, RESOLVED } from '../../factories/workflows.ts';

let accountId = 0;
const kept = connectWorkflows((made) => {
  ({ accountId } = made);
});
const keep = (more: Partial<RunRow> = {}) => kept.write({ workflow: 'kept-shared', ...more });
const { statusOf } = kept;

/** What an account has left of 100 credits. */
const left = async () => 100 - (await inEveryAccount(() => readBalance(accountId))).tokensUsed;

describe('a run that reserves more in a step', () => {
  const charge = ({ _id, agentId, channel }: RunRow) => ({ accountId, runId: String(_id), agentId, channel });
  /** Reserves 30 credits beside the 10 of the start; the process dies after that so many times. */
  const begin = async (deaths: number) => {
    await inEveryAccount(() => grantCredits(accountId, 100, 'gift', 'A gift'));
    const run = await keep({ reserved: 10, attempts: 1 });
    await inEveryAccount(() => reserveCredits(charge(run), 10, 'Start'));
    let tries = 0;
    kept.next = async () => {
      await reserveCredits(charge(run), 30, 'More', 'more');
      tries += 1;
      if (tries <= deaths) throw new Error('The process dies.');
      return { next: 'two', cost: 25, reserved: await readReserved(charge(run)) };
    };
    return run;
  };

  test('gets back what it did not use', async () => {
    await executeRun(await begin(0), null);
    expect(await left()).toBe(75);
  });

  test.each([1, 2])('gets no more back where the process died %i times before that was saved', async (deaths) => {
    jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const run = await begin(deaths);
    for (let death = 0; death <= deaths; death += 1)
      await executeRun({ ...(await readRun(run)), attempts: death + 1 }, null);
    expect((await readRun(run)).status).toBe('completed');
    expect(await left()).toBe(75);
  });

  test('gets all of it back where it is cancelled after the process died', async () => {
    jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const run = await begin(1);
    await executeRun(run, null);
    expect(await left()).toBe(60);
    await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $set: { cancelRequested: true } }));
    await executeRun({ ...(await readRun(run)), attempts: 2 }, null);
    expect((await readRun(run)).status).toBe('cancelled');
    expect(await left()).toBe(100);
  });
});

describe('a run at work', () => {
  const work = (run: RunRow, conversation: ConversationRow | null = null) => executeRun(run, conversation);

  test('can be stopped although an earlier execution of it ends after this one began', async () => {
    const run = await keep();
    const ends: (() => void)[] = [];
    const begun: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    kept.next = ({ signal }) => {
      signals.push(signal);
      begun.shift()?.();
      return new Promise((resolve) => ends.push(() => resolve({ done: { output: 'x' }, cost: 0 })));
    };
    const start = () => {
      const asked = new Promise<void>((resolve) => begun.push(resolve));
      return { ended: work(run), begun: asked };
    };
    const first = start();
    await first.begun;
    // As where it is answered while its question is still delivered here.
    runs.letGo(run);
    const second = start();
    await second.begun;
    ends[0]?.();
    await first.ended;
    expect(runs.abort(run._id)).toBe(true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    ends[1]?.();
    await second.ended;
    expect(runs.abort(run._id)).toBe(false);
  });

  test('that asks waits with its question, and continues with the state of its step', async () => {
    kept.next = async () => ({
      ask: { interruptType: 'approval', prompt: 'Shall I?' },
      next: 'three',
      cost: 2,
      state: { b: 2 },
    });
    const run = await kept.write({ state: { a: 1 }, attempts: 1 });
    await work(run);
    const now = await readRun(run);
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
    expect(await inEveryAccount(() => questionOf(now))).toMatchObject({
      status: 'pending',
      runId: run._id,
      prompt: 'Shall I?',
    });
  });

  test.each<[round: number, status: RunRow['status']]>([
    [0, 'cancelled'],
    [1, 'completed'],
  ])('that is stopped in round %i is %s: an answered one continues', async (round, status) => {
    const run = await kept.write({ round });
    kept.next = async () => {
      runs.abort(run._id);
      return { next: 'two' };
    };
    await work(run);
    expect((await readRun(run)).status).toBe(status);
    expect(kept.ended).toEqual(status === 'cancelled' ? ['cancelled'] : []);
  });

  test.each<[attempts: number, status: RunRow['status'], seconds: number]>([
    [1, 'ready', 1],
    [2, 'ready', 2],
    [3, 'failed', 0],
  ])('whose step fails at attempt %i is %s', async (attempts, status, seconds) => {
    kept.next = () => Promise.reject(new Error('a disk broke'));
    const conversation = await kept.open();
    const run = await kept.write({
      attempts,
      lease: { owner: 'me', id: 'mine' },
      conversationId: conversation._id,
    });
    const begun = Date.now();
    await work(run, conversation);
    const now = await readRun(run);
    expect(now).toMatchObject({ status, attempts, lease: null });
    if (status === 'ready') {
      expect(now.error).toBe('a disk broke');
      expect(now.dueAt?.getTime()).toBeGreaterThanOrEqual(begun + seconds * 750);
      expect(now.dueAt?.getTime()).toBeLessThanOrEqual(Date.now() + seconds * 1250);
    }
    expect((await kept.said()).map(({ kind }) => kind)).toEqual(status === 'failed' ? ['failed'] : []);
    expect(kept.ended).toEqual(status === 'failed' ? ['failed'] : []);
  });

  test('shows each step as it starts, announces its end, and logs no error', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const conversation = await kept.open();
    const run = await kept.write();
    const told: unknown[] = [];
    stoppedRuns.once(String(run._id), ({ status, version }) => told.push([status, version]));
    await work(run, conversation);
    expect(kept.shown.map(({ label, status }) => [label, status])).toEqual([
      ['First', 'working'],
      ['Second', 'working'],
      ['Second', 'completed'],
    ]);
    expect(told).toEqual([['completed', 2]]);
    expect(await readRun(run)).toMatchObject({ attempts: 1, version: 3, error: null });
    expect(error).not.toHaveBeenCalled();
  });

  test.each([
    ['continues', async () => ({ next: 'two' })],
    ['is done', async () => ({ done: { output: 'done' } })],
    ['asks', async () => ({ ask: { interruptType: 'approval', prompt: 'Shall I?' }, next: 'two' })],
  ] as [string, Step][])('that another process has taken over announces nothing if it %s', async (_what, end) => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const conversation = await kept.open();
    const run = await kept.write();
    let told = 0;
    stoppedRuns.once(String(run._id), () => {
      told += 1;
    });
    kept.next = async (context) => {
      await inEveryAccount(() => Run.updateOne({ _id: run._id }, { $inc: { version: 1 } }));
      return end(context);
    };
    await work(run, conversation);
    stoppedRuns.removeAllListeners(String(run._id));
    expect([told, kept.shown.length]).toEqual([0, 1]);
    expect(await readRun(run)).toMatchObject({ status: 'ready', version: 2 });
    expect(error).not.toHaveBeenCalled();
  });

  test('posts in its conversation as its agent, and nothing without a conversation', async () => {
    const conversation = await kept.open();
    const said: unknown[] = [];
    kept.next = async ({ say }) => {
      said.push(await say({ key: 'mine', kind: 'text', text: 'Hello' }));
      return Promise.reject(new AppError('invalid_file', { text: 'The sheet Ward 7 is empty.' }));
    };
    const alone = await kept.write();
    await work(alone);
    expect([said, (await readRun(alone)).error]).toEqual([[null], expect.stringContaining('Ward 7')]);
    await executeRun(await kept.write({ conversationId: conversation._id }));
    const rows = await inEveryAccount(() => Message.find({ accountId }).sort({ _id: 1 }).lean());
    const agent = { agentId: 'clinical_safety', agentName: 'Clara' };
    expect(rows).toMatchObject([
      { text: 'Hello', ...agent },
      // Messages that may contain words from a file leave under other rules.
      { kind: 'refused', ...agent, derived: { reference: expect.stringContaining('I could not use that file.') } },
    ]);
  });

  test.each<[cancelRequested: boolean, round: number, status: RunRow['status']]>([
    [true, 0, 'cancelled'],
    [true, 1, 'completed'],
    [false, 0, 'completed'],
  ])('that was to be cancelled (%s) in round %i is %s', async (cancelRequested, round, status) => {
    const run = await kept.write({ cancelRequested, round });
    const worked = jest.fn(kept.next);
    kept.next = worked;
    await work(run);
    expect(await kept.statusOf(run)).toBe(status);
    expect(worked).toHaveBeenCalledTimes(status === 'completed' ? 1 : 0);
  });

  test('that fails withdraws its question, and says why it ended', async () => {
    kept.next = () => Promise.reject(new AppError('no_log'));
    const { run, row } = await kept.ask({}, { status: 'ready', step: 'one' });
    await work(run);
    expect((await kept.question(row)).status).toBe('cancelled');
    expect(await readRun(run)).toMatchObject({ status: 'failed', error: plainText(new AppError('no_log')) });
  });

  test('was paid for at its start: only one that is taken over is checked again', async () => {
    const first = await keep({ reserved: 10, attempts: 1 });
    await work(first);
    expect(await kept.statusOf(first)).toBe('completed');
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const second = await keep({ reserved: 10, attempts: 2 });
    jest.spyOn(LedgerEntry.collection, 'insertOne').mockRejectedValue(new Error('the store is lost') as never);
    jest.spyOn(LedgerEntry, 'create').mockRejectedValue(new Error('the store is lost') as never);
    const worked = jest.fn(kept.next);
    kept.next = worked;
    await work(second);
    expect(worked).not.toHaveBeenCalled();
    expect(await kept.statusOf(second)).toBe('ready');
    expect(error).toHaveBeenCalledTimes(1);
  });

  test('whose step fails has no owner until the retry', async () => {
    kept.next = () => Promise.reject(new Error('a disk broke'));
    const run = await kept.write({ lease: null });
    await work(run);
    expect(await readRun(run)).toMatchObject({ status: 'ready', lease: null, error: 'a disk broke' });
  });

  test('whose question was withdrawn has no answer to continue with, and ends', async () => {
    kept.next = async ({ answer }) => {
      await answer();
      return { next: 'two' };
    };
    const { run } = await kept.ask({ status: 'cancelled' }, { status: 'ready', step: 'one' });
    await work(run);
    expect((await readRun(run)).status).toBe('cancelled');
    const waits = await kept.ask({}, { status: 'ready', step: 'one', attempts: 3 });
    await work(waits.run);
    expect(await readRun(waits.run)).toMatchObject({ status: 'failed' });
    const { run: going } = await kept.ask(RESOLVED, { status: 'ready', step: 'one' });
    await work(going);
    expect((await readRun(going)).status).toBe('completed');
  });
});

describe('a failing step', () => {
  test.each([
    [0, 'cancelled', 'cancelled'],
    [1, 'ready', undefined],
  ] as const)('that was stopped in round %i leaves its run %s', async (round, status, kind) => {
    const conversation = await openPlace(accountId);
    const run = await keep({ round });
    kept.next = async () => {
      runs.abort(run._id);
      throw new Error('stopped');
    };
    await executeRun(run, conversation);
    expect(await statusOf(run)).toBe(status);
    expect((await readMessages(accountId)).map((it) => it.kind)).toEqual(kind ? [kind] : []);
  });

  test.each([
    ['no_log', 'failed', 'refused'],
    ['cancelled', 'cancelled', 'cancelled'],
  ] as const)('with the caller’s error %s is not retried: its run is %s', async (code, status, kind) => {
    const conversation = await openPlace(accountId);
    const run = await keep();
    kept.next = () => Promise.reject(new AppError(code));
    await executeRun(run, conversation);
    expect(await readRun(run)).toMatchObject({ status, attempts: 1 });
    const said = await readMessages(accountId);
    expect(said.map((it) => it.kind)).toEqual([kind]);
  });

  test('with an error code that we do not know is retried', async () => {
    const run = await keep();
    kept.next = () => Promise.reject(Object.assign(new Error('of a library'), { code: 'cancelled' }));
    await executeRun(run);
    expect(await statusOf(run)).toBe('ready');
  });

  test('that does not exist, or has no agent, is a fault', async () => {
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

/** @environment store */
import { hostname } from 'node:os';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { grantCredits, readBalance, reserveCredits } from '../../../bot/engine/credits/credits.ts';
import { runs } from '../../../bot/engine/workflows/lease.ts';
import { chargeOf } from '../../../bot/engine/workflows/startRun.ts';
import { sweepRuns, sweepWaiting } from '../../../bot/engine/workflows/sweepRuns.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { makeRun, readRun } from '../../factories/runs.ts';
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
const dead = () => ({ owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) });
beforeEach(async () => {
  // Abandoned runs are looked for in every account.
  await inEveryAccount(() => Run.deleteMany({}));
});

describe('runs that nobody works on', () => {
  test('are claimed in every account and counted; running, waiting and ended ones are left', async () => {
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

  test('are not claimed from this process, even if its earlier life had them', async () => {
    const [here, left] = [await keep({ lease: dead() }), await keep({ lease: dead() })];
    runs.noteClaim(here);
    expect(await sweepRuns()).toBe(1);
    runs.letGo(here);
    await until(left, 'completed');
    expect(await readRun(here)).toMatchObject({ status: 'ready', attempts: 1 });
  });

  test('of a dead owner are claimed once: a claim made meanwhile stays', async () => {
    const run = await keep({ lease: dead() });
    const lease = { owner: 'elsewhere:1:x', id: 'theirs' };
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

  test('are worked to their end before the next one, if they were in more than one crash', async () => {
    const run = await keep({ attempts: 2 });
    expect(await sweepRuns()).toBe(1);
    expect(await readRun(run)).toMatchObject({ status: 'completed' });
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
  ])('are watched for a second, if they were in %i crashes: %i', async (attempts, times) => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const run = await keep({ attempts });
    await sweepRuns();
    expect(timers.mock.calls.filter(([, wait]) => wait === 1000)).toHaveLength(times);
    await until(run, 'completed');
  });

  test('are set aside after three crashes, and their reserved credits are returned once', async () => {
    await inEveryAccount(() => grantCredits(accountId, 100, 'gift', 'A gift'));
    const conversation = await openPlace(accountId);
    const run = await keep({ attempts: 3, reserved: 10, conversationId: conversation._id });
    const worked = jest.fn(kept.next);
    kept.next = worked;
    await sweepRuns();
    expect(await readRun(run)).toMatchObject({ status: 'failed', lease: null });
    expect(worked).not.toHaveBeenCalled();
    expect((await inEveryAccount(() => readBalance(accountId))).tokensRemaining).toBe(100);
    expect(await readMessages(accountId)).toMatchObject([
      { key: `run:${run._id}:end`, kind: 'failed', text: expect.stringContaining(String(run._id)) },
    ]);
  });

  test('are claimed oldest first, however many have ended before', async () => {
    const ended = Array.from({ length: 500 }, () => kept.make({ workflow: 'kept-shared', status: 'completed' }));
    const [older, newer] = [kept.make({ workflow: 'kept-shared' }), kept.make({ workflow: 'kept-shared' })];
    await Run.collection.insertMany([...ended, newer, older] as never);
    const taken = jest.spyOn(Run, 'updateOne');
    expect(await sweepRuns()).toBe(2);
    const ids = taken.mock.calls.slice(0, 2).map(([filter]) => String((filter as unknown as { _id: unknown })._id));
    expect(ids).toEqual([older, newer].map(({ _id }) => String(_id)));
    for (const run of [older, newer]) await until(run, 'completed');
  });

  test.each([
    ['was reserved is given back', true, 100, [-10, 10]],
    ['was never reserved is not given', false, 100, []],
  ])('are set aside if they crashed the process each time: what %s', async (_what, reserves, left, movements) => {
    await inEveryAccount(() => grantCredits(accountId, 100, 'gift', 'A gift'));
    const run = await keep({ attempts: 3, reserved: 10, agentId: 'gone', conversationId: (await kept.open())._id });
    if (reserves) await inEveryAccount(async () => reserveCredits(await chargeOf(run), 10, 'Shared'));
    await sweepRuns();
    expect(await statusOf(run)).toBe('failed');
    expect((await inEveryAccount(() => readBalance(accountId))).tokensRemaining).toBe(left);
    const entries = await inEveryAccount(() => LedgerEntry.find({ accountId }).sort({ seq: 1 }).lean());
    expect(entries.slice(1).map(({ amount }) => amount)).toEqual(movements);
    expect(await readMessages(accountId)).toMatchObject([{ key: `run:${run._id}:end`, kind: 'failed' }]);
  });

  test('block no other if one can’t be claimed', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const [bad, good] = [await keep(), await keep()];
    const take = Run.updateOne.bind(Run);
    jest.spyOn(Run, 'updateOne').mockImplementation(((filter: Record<string, unknown>, update: object) => {
      if (String(filter._id) === String(bad._id)) throw new Error('the store is lost');
      return take(filter, update);
    }) as never);
    expect(await sweepRuns()).toBe(1);
    await until(good, 'completed');
    expect(error).toHaveBeenCalledTimes(1);
    expect(await statusOf(bad)).toBe('ready');
  });
});

test('waiting runs are each looked at once, however many there are', async () => {
  const _id = nextNumber();
  await inEveryAccount(() => Interrupt.create(makeInterrupt({ _id, accountId, askKey: String(_id) })));
  const waiting = { accountId, workflow: 'kept-shared', status: 'waiting' as const };
  const rows = Array.from({ length: 500 }, () => makeRun({ ...waiting, state: { interruptId: _id } }));
  // In no particular order.
  await Run.collection.insertMany(rows.reverse() as never);
  const last = await keep({ ...waiting, state: { interruptId: nextNumber() } });
  const looks = jest.spyOn(Interrupt, 'findOne');
  expect(await sweepWaiting()).toBe(1);
  expect(looks.mock.calls.filter(([filter]) => (filter as unknown as { _id: number })._id === _id)).toHaveLength(500);
  expect(await statusOf(last)).toBe('cancelled');
  expect(await inEveryAccount(() => Run.countDocuments({ status: 'waiting' }))).toBe(500);
});

test('waiting runs that wait for nothing are counted, and a failing one blocks no other', async () => {
  const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
  const shared = { workflow: 'kept-shared' };
  const lost = await kept.ask({ status: 'cancelled' }, shared);
  await kept.ask({}, shared);
  const told = await kept.ask({ ...RESOLVED, outbox: ['resume'] }, shared);
  const answered = await kept.ask(RESOLVED, shared);
  const gone = await kept.ask({ status: 'cancelled' }, { ...shared, cancelRequested: true });
  const find = Interrupt.findOne.bind(Interrupt);
  jest.spyOn(Interrupt, 'findOne').mockImplementation(((filter: { _id: number }) => {
    if (filter._id === lost.row._id) throw new Error('the store is lost');
    return find(filter);
  }) as never);
  expect(await sweepWaiting()).toBe(2);
  expect(error).toHaveBeenCalledTimes(1);
  await until(answered.run, 'completed');
  expect([await statusOf(lost.run), await statusOf(told.run), await statusOf(gone.run)]).toEqual([
    'waiting',
    'waiting',
    'cancelled',
  ]);
});

import { setMaxListeners } from 'node:events';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Progress } from '../../../../bot/agents/clinical_safety/worker/jobs.ts';
import {
  analyse,
  closePool,
  exportNewHazards,
  exportTickets,
  inspectFile,
  merge,
} from '../../../../bot/agents/clinical_safety/worker/pool.ts';
import {
  giveBack,
  SEAT_LIMITS,
  type Seat,
  type SeatHolder,
  takeSeat,
} from '../../../../bot/agents/clinical_safety/worker/seats.ts';
import { digestOf, makeLargeLog, makeLargeTickets, makeWideLog } from '../../../factories/hazardLog.ts';

const file = (bytes: Uint8Array, fileName = 'log.xlsx') => ({
  bytes: new Uint8Array(bytes),
  fileName,
  digest: digestOf(bytes),
});
const TICKETS = new Uint8Array(
  Buffer.from(
    'Issue key,Summary,Description\nEPS-1,Restore failed because the backup is corrupt,\nEPS-2,=1+1 dose is lost,\n',
  ),
);
const SMALL = makeWideLog([{ id: 'HAZ01' }]);

afterAll(closePool);

describe('the worker thread', () => {
  test('inspects, analyses, merges and exports', async () => {
    expect(await inspectFile(SMALL, 'log.xlsx')).toMatchObject({ kind: 'hazard-log', rowCount: 1 });
    const result = await analyse({ log: file(SMALL), tickets: file(TICKETS, 'tickets.csv') });
    expect(result.existingHazards).toHaveLength(1);
    expect(result.tickets).toHaveLength(2);
    const merged = await merge({
      log: file(SMALL),
      result,
      rows: result.newHazards.map(({ id }) => ({ id, outcome: 'accepted' })),
      review: { reviewer: 'A', decidedAt: '2026-01-01T00:00:00Z' },
    });
    expect(merged.merged.length).toBeGreaterThan(0);
    expect((await exportNewHazards({ result, rows: [] })).fileName).toBe('log-new-hazards.xlsx');
    const csv = Buffer.from((await exportTickets({ result, format: 'csv' })).bytes).toString();
    expect(csv).toContain("'=1+1 dose is lost");
  });

  test('leaves the bytes of an inspected file to the caller, and takes those of an analysed one', async () => {
    const own = file(SMALL);
    await inspectFile(own.bytes, own.fileName);
    expect(own.bytes.length).toBe(SMALL.length);
    await analyse({ log: own, tickets: null });
    expect(own.bytes.length).toBe(0);
  });

  test('takes part of a shared buffer without taking the rest', async () => {
    const whole = new Uint8Array(SMALL.length + 100);
    whole.set(SMALL, 50);
    const part = whole.subarray(50, 50 + SMALL.length);
    await analyse({ log: { bytes: part, fileName: 'log.xlsx', digest: 'd' }, tickets: null });
    expect(whole.length).toBe(SMALL.length + 100);
  });

  test('refuses with a code and a sentence', async () => {
    await expect(inspectFile(new Uint8Array(Buffer.from('MZ…')), 'log.xlsx')).rejects.toMatchObject({
      name: 'HazardFileError',
      code: 'not_a_spreadsheet',
    });
    await expect(analyse({ log: file(TICKETS), tickets: null })).rejects.toMatchObject({ code: 'not_a_hazard_log' });
    await expect(analyse({ log: file(SMALL), tickets: file(SMALL) })).rejects.toMatchObject({ code: 'not_tickets' });
  });

  test('tells how far it is, step by step and not too often', async () => {
    const seen: Progress[] = [];
    const start = performance.now();
    await analyse(
      { log: file(makeLargeLog(500)), tickets: file(makeLargeTickets(500), 'tickets.csv') },
      { onProgress: (progress) => seen.push(progress) },
    );
    const seconds = (performance.now() - start) / 1000;
    expect([...new Set(seen.map(({ step }) => step))]).toEqual([
      'reading-log',
      'reading-tickets',
      'checking',
      'scoring',
      'matching',
      'proposing',
    ]);
    expect(seen.length).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 6);
    for (const { done, total, label } of seen) expect([done <= total, label.length > 0]).toEqual([true, true]);
  });

  test('stops when it is told to, and works on for the next one', async () => {
    const abort = new AbortController();
    const job = analyse(
      { log: file(makeLargeLog(4000)), tickets: file(makeLargeTickets(2000), 'tickets.csv') },
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 50);
    await expect(job).rejects.toMatchObject({ code: 'cancelled' });
    expect(await inspectFile(SMALL, 'log.xlsx')).toMatchObject({ rowCount: 1 });
  });

  test('stops at its limit of time', async () => {
    await expect(
      analyse({ log: file(makeLargeLog(4000)), tickets: null }, { timeoutMilliseconds: 30 }),
    ).rejects.toMatchObject({ code: 'worker_timeout' });
    expect(await inspectFile(SMALL, 'log.xlsx')).toMatchObject({ rowCount: 1 });
  });

  test('serves more jobs than it has threads, one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => inspectFile(SMALL, 'log.xlsx')));
    expect(answers.every(({ rowCount }) => rowCount === 1)).toBe(true);
  });
});

describe('accounts take turns', () => {
  const large = makeLargeLog(150);
  const slow = () => inspectFile(large, 'log.xlsx', { accountId: 1 });

  test('one account’s many files make another’s wait for no more than what is running', async () => {
    const done: string[] = [];
    const many = Array.from({ length: 12 }, (_, at) => slow().then(() => done.push(`first ${at}`)));
    const other = inspectFile(SMALL, 'log.xlsx', { accountId: 2 }).then(() => done.push('second'));
    await Promise.all([...many, other]);
    // Two threads run for the first account already; the next one that is free is the other's.
    expect(done.indexOf('second')).toBeLessThanOrEqual(2);
  });

  test('who has a thread now comes after who has none, though it was served longer ago', async () => {
    await closePool();
    const given: string[] = [];
    const take = (holder: number) =>
      takeSeat(holder, undefined).then((seat) => {
        given.push(`${holder}`);
        return seat;
      });
    const [first, second] = [await take(1), await take(2)];
    const waiting = [take(1), take(3), take(2)];
    giveBack(second);
    // Account 3 was never served, account 2 later than account 1, which still has its first thread.
    const third = await waiting[1];
    expect(given).toEqual(['1', '2', '3']);
    if (third) giveBack(third);
    const fourth = await waiting[2];
    expect(given).toEqual(['1', '2', '3', '2']);
    giveBack(first);
    giveBack(await (waiting[0] as Promise<Seat>));
    if (fourth) giveBack(fourth);
    expect(given).toEqual(['1', '2', '3', '2', '1']);
  });

  test('so many may wait of each account, whatever waits of others; our own work always may', async () => {
    await closePool();
    const held = [await takeSeat(1, undefined), await takeSeat(2, undefined)];
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const waits = (holder: SeatHolder, count: number) =>
      Array.from({ length: count }, () =>
        takeSeat(holder, abort.signal).then(
          () => 'given',
          ({ code }) => String(code),
        ),
      );
    const { waitingEach } = SEAT_LIMITS;
    const all = [...waits(5, waitingEach), ...waits(6, waitingEach), ...waits('own', waitingEach + 1)];
    expect(await Promise.all(waits(5, 1))).toEqual(['too_many_waiting']);
    expect(await Promise.all(waits(6, 1))).toEqual(['too_many_waiting']);
    abort.abort();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['cancelled']));
    for (const seat of held) giveBack(seat);
  });

  test('an account that sends without end is told to wait', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: SEAT_LIMITS.workers + SEAT_LIMITS.waitingEach + 1 }, () =>
        inspectFile(SMALL, 'log.xlsx', { accountId: 4 }),
      ),
    );
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([{ status: 'rejected', reason: expect.objectContaining({ code: 'too_many_waiting' }) }]);
  });
});

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportNewHazards as writeNewHazards } from '../../../../bot/agents/clinical_safety/export/exportNewHazards.ts';
import { exportTickets as writeTickets } from '../../../../bot/agents/clinical_safety/export/exportTickets.ts';
import { mergeLog } from '../../../../bot/agents/clinical_safety/merge/mergeLog.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import {
  analyse,
  closePool,
  exportNewHazards,
  exportTickets,
  inspectFile,
  JOB_TIMEOUT_MS,
  type JobOptions,
  merge,
} from '../../../../bot/agents/clinical_safety/worker/pool.ts';
import { releaseSeat, SEAT_LIMITS, type Seat, takeSeat } from '../../../../bot/agents/clinical_safety/worker/seats.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { digestOf, makeLargeLog, makeWideLog } from '../../../factories/hazardLog.ts';

const COUNT = 12;
const hazards = Array.from({ length: COUNT }, (_, at) => ({
  id: `HAZ${at + 1}`,
  name: `Screen ${at} is late`,
  risk: 1,
}));
const BYTES = makeWideLog(hazards);
const log = (bytes: Uint8Array = BYTES) => ({
  bytes: new Uint8Array(bytes),
  fileName: 'log.xlsx',
  digest: digestOf(bytes),
});
const tickets = () => ({
  records: Array.from({ length: COUNT }, (_, at) => ({
    key: `EPS-${at + 1}`,
    summary: at === 0 ? 'Restore failed because the backup is corrupt' : `Colour ${at}`,
    description: '',
  })),
  source: 'Jira',
  digest: 'd',
});
const review = { reviewer: 'A', decidedAt: '2026-01-01T00:00:00Z' };

let result: AnalysisResult;
let rows: RowDecision[];
beforeAll(async () => {
  result = await analyseLog({ log: log(), tickets: tickets() });
  rows = result.newHazards.map(({ id }) => ({ id, outcome: 'accepted' }));
});
afterAll(closePool);

describe('a worker thread returns the same as the work itself', () => {
  test('for an analysis, with all its lists in order', async () => {
    const given = await analyse({ log: log(), tickets: tickets() });
    expect([given.existingHazards.length, given.tickets.length]).toEqual([COUNT, COUNT]);
    expect(given.findings.length).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(given))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  test('for a merge into the analysed log', async () => {
    expect(rows.length).toBeGreaterThan(0);
    const given = await merge({ log: log(), result, rows, review });
    const own = await mergeLog({ log: log(), result, rows, review });
    expect(digestOf(given.bytes)).toBe(digestOf(own.bytes));
    expect({ ...given, bytes: null }).toEqual({ ...own, bytes: null });
  });

  test('for a merge into a log that changed since', async () => {
    const moved = makeWideLog(hazards.map((row, at) => (at === 0 ? { ...row, name: 'Another name' } : row)));
    const given = await merge({ log: log(moved), result, rows, review });
    const own = await mergeLog({ log: log(moved), result, rows, review });
    expect(given.conflicts.length).toBeGreaterThan(0);
    expect(given.conflicts).toEqual(own.conflicts);
    expect(digestOf(given.bytes)).toBe(digestOf(own.bytes));
  });

  test('for the exports', async () => {
    const [proposals, own] = [await exportNewHazards({ result, rows }), await writeNewHazards({ result, rows })];
    expect({ ...proposals, bytes: digestOf(proposals.bytes) }).toEqual({ ...own, bytes: digestOf(own.bytes) });
    for (const format of ['csv', 'xlsx'] as const) {
      const [given, written] = [await exportTickets({ result, format }), await writeTickets({ result, format })];
      expect({ ...given, bytes: digestOf(given.bytes) }).toEqual({ ...written, bytes: digestOf(written.bytes) });
    }
  });

  test('and leaves the caller’s result intact', () => {
    expect([result.existingHazards.length, result.tickets.length]).toEqual([COUNT, COUNT]);
  });
});

test('the entry point of the worker thread works only in a worker thread', async () => {
  await expect(import('../../../../bot/agents/clinical_safety/worker/worker.ts')).rejects.toThrow(
    'This file is the entry point of a worker thread.',
  );
});

describe('a job', () => {
  const SMALL = makeWideLog([{ id: 'HAZ01' }]);
  const LARGE = makeLargeLog(800);
  const SENTENCES: Record<string, string> = {
    cancelled: 'Cancelled. Nothing was changed.',
    worker_timeout:
      'This took too long and was stopped. Save the hazard log sheet on its own, or split the tickets, and try again.',
  };
  /** The thread that the next job is given. */
  async function idleSeat(): Promise<Seat> {
    const seat = await takeSeat('own', undefined);
    releaseSeat(seat);
    return seat;
  }
  const countRunning = (kind: string) => process.getActiveResourcesInfo().filter((it) => it === kind).length;

  test('takes log and tickets from one buffer', async () => {
    const file = log(SMALL);
    await expect(analyse({ log: file, tickets: file })).rejects.toMatchObject({ code: 'not_tickets' });
    const csv = Buffer.from('Key,Summary,Description\nEPS-1,a,b\n');
    const whole = new Uint8Array(csv.length + 10);
    whole.set(csv, 10);
    const part = { bytes: whole.subarray(10), fileName: 'tickets.csv', digest: 'd' };
    expect((await analyse({ log: log(SMALL), tickets: part })).tickets).toHaveLength(1);
    expect(whole).toHaveLength(csv.length + 10);
    const own = { bytes: new Uint8Array(csv), fileName: 'tickets.csv', digest: 'd' };
    await analyse({ log: log(SMALL), tickets: own });
    expect(own.bytes).toHaveLength(0);
  });

  test('takes the first part of a buffer and leaves the rest', async () => {
    const whole = new Uint8Array(SMALL.length + 10);
    whole.set(SMALL);
    await analyse({ log: { ...log(SMALL), bytes: whole.subarray(0, SMALL.length) }, tickets: null });
    expect(whole).toHaveLength(SMALL.length + 10);
  });

  test('does not start if it was cancelled before', async () => {
    const [first, second] = [await takeSeat(1, undefined), await takeSeat(2, undefined)];
    await expect(inspectFile(SMALL, 'log.xlsx', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    releaseSeat(first);
    releaseSeat(second);
  });

  test('does not run if it is cancelled as it gets a thread', async () => {
    const [first, second] = [await takeSeat(1, undefined), await takeSeat(2, undefined)];
    const abort = new AbortController();
    const job = inspectFile(SMALL, 'log.xlsx', { signal: abort.signal });
    releaseSeat(first);
    abort.abort();
    await expect(job).rejects.toMatchObject({ code: 'cancelled' });
    releaseSeat(second);
  });

  test('that is done can’t be cancelled any more, and its thread continues', async () => {
    const abort = new AbortController();
    await inspectFile(SMALL, 'log.xlsx', { signal: abort.signal });
    const seat = await idleSeat();
    expect(seat.fail).toBeNull();
    abort.abort();
    expect(await inspectFile(SMALL, 'log.xlsx')).toMatchObject({ rowCount: 1 });
    expect(await idleSeat()).toBe(seat);
  });

  test('that is done leaves no listener and no timer behind', async () => {
    await inspectFile(SMALL, 'log.xlsx');
    const { worker } = await idleSeat();
    const listeners = worker.listenerCount('message');
    const timers = countRunning('Timeout');
    await inspectFile(SMALL, 'log.xlsx');
    expect((await idleSeat()).worker).toBe(worker);
    expect(worker.listenerCount('message')).toBe(listeners);
    expect(countRunning('Timeout')).toBeLessThanOrEqual(timers);
  });

  test('keeps the process running until it is done', async () => {
    await inspectFile(SMALL, 'log.xlsx');
    const idle = countRunning('MessagePort');
    const meanwhile: number[] = [];
    const onProgress = () => void meanwhile.push(countRunning('MessagePort'));
    await analyse({ log: log(SMALL), tickets: null }, { onProgress });
    expect(new Set(meanwhile)).toEqual(new Set([idle + 1]));
    expect(countRunning('MessagePort')).toBe(idle);
  });

  test('ignores answers to other jobs', async () => {
    await inspectFile(SMALL, 'log.xlsx');
    const { worker } = await idleSeat();
    const onProgress = () =>
      void worker.emit('message', { id: -1, kind: 'failed', code: 'empty_log', message: 'Another’s.' });
    const { existingHazards } = await analyse({ log: log(SMALL), tickets: null }, { onProgress });
    expect(existingHazards).toHaveLength(1);
  });

  test('of Arc itself waits without limit, one of an account does not', async () => {
    const { waitingEach } = SEAT_LIMITS;
    SEAT_LIMITS.waitingEach = 1;
    const codesOf = (accountId?: number) =>
      Promise.all(
        Array.from({ length: 5 }, () =>
          inspectFile(SMALL, 'log.xlsx', accountId === undefined ? {} : { accountId }).then(
            () => 'done',
            ({ code }) => code,
          ),
        ),
      );
    expect(await codesOf()).toEqual(Array(5).fill('done'));
    expect(await codesOf(7)).toEqual(['done', 'done', 'done', 'too_many_waiting', 'too_many_waiting']);
    SEAT_LIMITS.waitingEach = waitingEach;
  });

  test.each<[string, string, (abort: AbortController) => JobOptions]>([
    ['is cancelled', 'cancelled', (abort) => ({ signal: abort.signal, onProgress: () => abort.abort() })],
    ['takes longer than it may', 'worker_timeout', () => ({ timeoutMs: 1 })],
  ])('that %s ends its thread, and the next one gets another', async (_how, code, options) => {
    await inspectFile(SMALL, 'log.xlsx');
    const seat = await idleSeat();
    const ended = once(seat.worker, 'exit');
    const job = analyse({ log: log(LARGE), tickets: null }, options(new AbortController()));
    await expect(job).rejects.toMatchObject({ code, message: SENTENCES[code] });
    await ended;
    expect(await inspectFile(SMALL, 'log.xlsx')).toMatchObject({ rowCount: 1 });
    expect(await idleSeat()).not.toBe(seat);
  });

  test('that exceeds its memory fails, and the next one works', async () => {
    const { memoryMegabytes } = SEAT_LIMITS;
    await closePool();
    SEAT_LIMITS.memoryMegabytes = 8;
    await expect(analyse({ log: log(LARGE), tickets: null })).rejects.toMatchObject({
      code: 'out_of_memory',
      message:
        'This file needs more memory than one analysis may use. Save the hazard log sheet on its own and try again.',
    });
    SEAT_LIMITS.memoryMegabytes = memoryMegabytes;
    expect(await inspectFile(SMALL, 'log.xlsx')).toMatchObject({ rowCount: 1 });
  });

  test('that fails through our fault says only what to do', async () => {
    await expect(inspectFile(SMALL, null as unknown as string)).rejects.toMatchObject({
      name: 'HazardFileError',
      code: 'worker_failed',
      message:
        'The file could not be processed. Please try again. If it happens again, save it as a new .xlsx and try that.',
    });
  });

  test('has a time limit by kind', () => {
    expect(JOB_TIMEOUT_MS).toEqual({
      inspect: 20_000,
      findOpenPoints: 60_000,
      analyse: 120_000,
      ticketTexts: 60_000,
      merge: 60_000,
      printEvidence: 120_000,
      writeRelease: 120_000,
      exportNewHazards: 30_000,
      exportTickets: 30_000,
      exportEvidence: 30_000,
      checkReport: 30_000,
      writeCaseReport: 60_000,
      writeComplianceSheet: 30_000,
      writeIncidentRecord: 30_000,
    });
  });
});

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
import { SEAT_LIMITS } from '../../../../bot/agents/clinical_safety/worker/seats.ts';
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

  test('leaves the bytes of an inspected file to the caller, and takes over those of an analysed one', async () => {
    const own = file(SMALL);
    await inspectFile(own.bytes, own.fileName);
    expect(own.bytes.length).toBe(SMALL.length);
    await analyse({ log: own, tickets: null });
    expect(own.bytes.length).toBe(0);
  });

  test('takes part of a shared buffer without the rest', async () => {
    const whole = new Uint8Array(SMALL.length + 100);
    whole.set(SMALL, 50);
    const part = whole.subarray(50, 50 + SMALL.length);
    await analyse({ log: { bytes: part, fileName: 'log.xlsx', digest: 'd' }, tickets: null });
    expect(whole.length).toBe(SMALL.length + 100);
  });

  test('copies bytes in memory shared by threads', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(SMALL.length));
    shared.set(SMALL);
    const { existingHazards } = await analyse({ log: { ...file(SMALL), bytes: shared }, tickets: null });
    expect([existingHazards.length, shared.length]).toEqual([1, SMALL.length]);
  });

  test('refuses with a code and a sentence', async () => {
    await expect(inspectFile(new Uint8Array(Buffer.from('MZ…')), 'log.xlsx')).rejects.toMatchObject({
      name: 'HazardFileError',
      code: 'not_a_spreadsheet',
    });
    await expect(analyse({ log: file(TICKETS), tickets: null })).rejects.toMatchObject({ code: 'not_a_hazard_log' });
    await expect(analyse({ log: file(SMALL), tickets: file(SMALL) })).rejects.toMatchObject({ code: 'not_tickets' });
  });

  test('reports progress, step by step and not too often', async () => {
    const seen: Progress[] = [];
    const start = performance.now();
    await analyse(
      { log: file(makeLargeLog(150)), tickets: file(makeLargeTickets(150), 'tickets.csv') },
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

  test('runs more jobs than there are threads, one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => inspectFile(SMALL, 'log.xlsx')));
    expect(answers.every(({ rowCount }) => rowCount === 1)).toBe(true);
  });
});

test('an account with many files makes another one wait only for its running jobs', async () => {
  await closePool();
  const { workers } = SEAT_LIMITS;
  SEAT_LIMITS.workers = 1;
  const done: string[] = [];
  const inspectFor = (accountId: number, name: string) =>
    inspectFile(SMALL, 'log.xlsx', { accountId }).then(() => done.push(name));
  await Promise.all([
    ...['first', 'second', 'third'].map((name) => inspectFor(1, name)),
    inspectFor(2, 'the other’s first'),
    inspectFor(2, 'the other’s second'),
  ]);
  SEAT_LIMITS.workers = workers;
  expect(done).toEqual(['first', 'the other’s first', 'second', 'the other’s second', 'third']);
});

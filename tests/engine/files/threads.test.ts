import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ThreadProgress } from '../../../bot/engine/files/serveThread.ts';
import { runInThread } from '../../../bot/engine/files/threads.ts';
import { loadedByThread, loadedWith } from '../../factories/sources.ts';

const OPS = { name: 'Round.md', usualTitle: 'Round', day: '5 Jun 2026' };
const SHORT = '1. The guard tries each door.\n2. The guard signs the log.';
const job = (text: string, accountId = 1) => ({ accountId, input: { ...OPS, bytes: Buffer.from(text) } });
/** Takes many seconds to write. */
const LONG = Array.from({ length: 3000 }, (_, at) => `${at + 1}. The guard tries door ${at + 1} and signs the log.`);

test('a thread tells its progress in order, before its answer', async () => {
  const told: ThreadProgress[] = [];
  const answer = await runInThread('ops', { ...job(SHORT), onProgress: (progress) => told.push(progress) });
  expect(answer).toMatchObject({ steps: 2, written: { title: 'Round', problems: [] } });
  expect(told.map(({ done, total }) => [done, total])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ]);
});

test('a cancel ends the thread, and the next job of the company begins', async () => {
  const stop = new AbortController();
  const long = runInThread('ops', {
    ...job(LONG.join('\n')),
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(long).rejects.toMatchObject({ code: 'cancelled' });
  expect(await runInThread('ops', job(SHORT))).toMatchObject({ steps: 2 });
});

test('a job that is cancelled while it waits never begins, and the one behind it moves up', async () => {
  const [stop, stopLong] = [new AbortController(), new AbortController()];
  const told: string[] = [];
  const noting = (name: string) => ({ onProgress: () => told.push(name) });
  const long = runInThread('ops', { ...job(LONG.join('\n')), signal: stopLong.signal });
  const waits = runInThread('ops', { ...job(SHORT), signal: stop.signal, ...noting('cancelled') });
  const behind = runInThread('ops', { ...job(SHORT), ...noting('behind') });
  stop.abort();
  await expect(waits).rejects.toMatchObject({ code: 'cancelled' });
  stopLong.abort();
  await expect(long).rejects.toMatchObject({ code: 'cancelled' });
  await behind;
  expect(told).toEqual(['behind', 'behind', 'behind']);
});

test('a job that was cancelled before takes no turn', async () => {
  await expect(runInThread('ops', { ...job(SHORT), signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(await runInThread('ops', job(SHORT))).toMatchObject({ steps: 2 });
});

describe('a thread', () => {
  let started = 0;
  const note = () => {
    started += 1;
  };
  beforeEach(() => {
    started = 0;
    process.on('worker', note);
  });
  afterEach(() => {
    process.off('worker', note);
    jest.useRealTimers();
  });
  /** How many threads were started for some work. */
  const startedFor = async (work: () => Promise<unknown>) => {
    started = 0;
    await work();
    return started;
  };
  /** Counts the steps of a description, and writes nothing. */
  const count = (text = SHORT, accountId = 1) =>
    runInThread('ops', { accountId, input: { ...OPS, day: null, bytes: Buffer.from(text) } });
  const both = () => Promise.all([1, 2].map((accountId) => count(SHORT, accountId)));
  const fake = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

  test('that is done is given the next job of its kind, also of another company, and answers it alone', async () => {
    await count();
    const next = () => count(`${SHORT}\n3. The guard sleeps.`, 2);
    expect(await startedFor(next)).toBe(0);
    expect(await next()).toMatchObject({ steps: 3 });
    expect(await startedFor(both)).toBe(1);
  });

  test.each([
    ['cancelled', 20_000],
    ['too_slow', 5],
  ])('whose job was stopped, %s, gets no other', async (code, milliseconds) => {
    await both();
    const stop = new AbortController();
    const stopped = runInThread(
      'ops',
      {
        ...job(LONG.join('\n')),
        signal: stop.signal,
        ...(code === 'cancelled' ? { onProgress: () => stop.abort() } : {}),
      },
      milliseconds,
    );
    await expect(stopped).rejects.toMatchObject({ code });
    expect(await startedFor(both)).toBe(1);
  });

  test('ends once it had no job for a minute', async () => {
    fake();
    await count();
    jest.advanceTimersByTime(59_999);
    expect(await startedFor(() => count())).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect(await startedFor(() => count())).toBe(1);
  });

  test('ends where two others had a job since', async () => {
    await both();
    const source = { name: 'Rule.md', bytes: Buffer.from('# A\n\nKeep it.') };
    const input = { job: 'plan', source, given: { values: {}, chosen: {} } };
    expect(await startedFor(() => runInThread('professionaliser', { accountId: 1, input }))).toBe(1);
    expect(await startedFor(() => runInThread('professionaliser', { accountId: 1, input }))).toBe(0);
    expect(await startedFor(both)).toBe(1);
  });
});

test.each([
  ['ops', ['risks/findRisks', 'files/procedure', 'files/workbook', 'files/checkProcedure']],
  ['professionaliser', ['control/plan', 'control/writeControlled', 'control/checkCarried', 'word/openDocument']],
])('the server itself loads nothing of %s that reads or writes a whole document', (agent, names) => {
  const loaded = loadedByThread(`bot/agents/${agent}/index.ts`);
  expect(loaded).toContain('bot/engine/files/threads.ts');
  for (const name of names) expect(loaded).not.toContain(`bot/agents/${agent}/${name}.ts`);
});

test.each(['ops', 'professionaliser', 'researcher'])('the thread of %s loads nothing of the store', (agent) => {
  const loaded = loadedByThread(`bot/agents/${agent}/thread/worker.ts`);
  expect(loaded).not.toContain('models/files.ts');
  expect(loaded).not.toContain('models/account.ts');
});

test('the server starts without the library of workbooks, which takes a tenth of a start', () => {
  const packages = new Set(loadedByThread('api/start.ts').flatMap(loadedWith));
  expect(packages).toContain('express');
  expect(packages).not.toContain('exceljs');
});

import { expect, test } from '@jest/globals';
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

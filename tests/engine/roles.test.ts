import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-roles-'));
/** Its metrics say what a process has done. */
const METRICS_TOKEN = 'token-of-the-metrics-1';
let web: ServerProcess;
let worker: ServerProcess;
const browser = makeBrowser(() => web.url);
const start = (role: 'web' | 'worker') =>
  startProcess(directory, { ROLE: role, METRICS_TOKEN, PATIENCE_FACTOR: '0.2' });

const history = async () =>
  ((await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[] }).messages;
const countOf = async (part: string) => (await history()).filter(({ message }) => message.includes(part)).length;
/** What a process has done with work, by kind and event. */
async function workOf({ url }: ServerProcess): Promise<string[]> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(answer.status).toBe(200);
  return (await answer.text()).split('\n').filter((line) => /^arc_work_events\w*\{/.test(line));
}

beforeAll(async () => {
  web = await start('web');
  worker = await start('worker');
  await makeReady(browser, 'ada@example.org');
  await uploadSample(browser);
}, 120_000);
afterAll(async () => {
  await Promise.all([web.stop(), worker.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

test('what is said over a web process is answered by a worker, soon', async () => {
  const begun = performance.now();
  await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'one' });
  await eventually(async () => (await countOf('I never set a severity')) === 1, 'the answer');
  // The regular sweep comes every fifteen seconds.
  expect(performance.now() - begun).toBeLessThan(8000);
  expect((await workOf(worker)).join('\n')).toContain('turns');
}, 60_000);

test('an analysis and the answer to its question are carried on by workers; the web process carries on nothing', async () => {
  await browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log', clientId: 'two' });
  const [agent] = await browser.get('/api/user-agents');
  const question = await eventually(
    async () => {
      const all = (await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[];
      return all.find(({ status }) => status === 'pending');
    },
    'the question',
    60_000,
  );
  await browser.patch(`/api/interrupts/${question.id}/resolve`, { approved: false, reason: 'Not now' });
  await eventually(
    async () =>
      ((await browser.get('/api/audit')).events as { event: string }[]).some(
        ({ event }) => event === 'interrupt.answered',
      ),
    'the audit',
    30_000,
  );
  expect(await workOf(web)).toEqual([]);
}, 120_000);

test('a worker that is killed is replaced by another one within the lease, and each message is answered once', async () => {
  await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'three' });
  await worker.kill();
  await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'four' });
  worker = await start('worker');
  await eventually(async () => (await countOf('I never set a severity')) >= 3, 'both answers', 30_000);
  expect(await countOf('I never set a severity')).toBe(3);
  expect(await workOf(web)).toEqual([]);
}, 90_000);

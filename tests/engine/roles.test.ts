import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { codeTo, joinByMail, makeBrowser, onboardSafety, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import type { Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { startSmtp } from '../fakes/smtp.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-roles-'));
/** Its metrics say what a process has done. */
const METRICS_TOKEN = 'token-of-the-metrics-1';
let web: ServerProcess;
let worker: ServerProcess;
/** Each role has a mail server and a model of its own: those of the web process must not be asked for anything. */
type Outside = { smtp: Awaited<ReturnType<typeof startSmtp>>; model: Awaited<ReturnType<typeof startModelServer>> };
/** Refused for good, so that the analysis goes on without a model; or held until the call is given up. */
let behaviour: Behaviour = { status: 400, text: 'no' };
const startOutside = async (): Promise<Outside> => ({
  smtp: await startSmtp(),
  model: await startModelServer(() => behaviour),
});
let outsideOf: Record<'web' | 'worker', Outside>;
const PERSON = { email: 'ada@example.org', password: 'correct-horse-1', firstName: 'Ada' };
const browser = makeBrowser(() => web.url);
const start = (role: 'web' | 'worker') => {
  const { smtp, model } = outsideOf[role];
  const outside = { ...model.environment, SMTP_URL: smtp.url, MAIL_FROM: 'arc@example.org' };
  return startProcess(directory, { ROLE: role, METRICS_TOKEN, PATIENCE_FACTOR: '0.6', ...outside });
};

const history = async () =>
  ((await browser.get('/api/arc-chat/history?limit=200')) as { messages: ChatMessage[] }).messages;
const countOf = async (part: string) => (await history()).filter(({ message }) => message.includes(part)).length;
/** What a process has carried on: work by kind and event, mails, documents in threads, tokens of models. */
async function workOf({ url }: ServerProcess): Promise<string[]> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(answer.status).toBe(200);
  return (await answer.text())
    .split('\n')
    .filter((line) => /^arc_(work_events|mails|document_jobs|model_tokens)\w*\{/.test(line));
}

beforeAll(async () => {
  outsideOf = { web: await startOutside(), worker: await startOutside() };
  web = await start('web');
  worker = await start('worker');
  await browser.post('/api/auth/send-signup-confirmation', PERSON);
  const code = codeTo(PERSON.email, outsideOf.worker.smtp);
  await browser.post('/api/auth/verify-signup-confirmation', { ...PERSON, code });
  await onboardSafety(browser, ['hazardanalysis', 'clinicalsafety']);
  await uploadSample(browser);
}, 120_000);
afterAll(async () => {
  await Promise.all([web.stop(), worker.stop()]);
  await Promise.all(Object.values(outsideOf).flatMap(({ smtp, model }) => [smtp.stop(), model.stop()]));
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

test('codes and invitations are mailed by workers, and the page is told at once what the mail server refuses', async () => {
  const { smtp } = outsideOf.worker;
  await joinByMail(browser, () => web.url, smtp, { email: 'ben@example.org', roles: ['approver'], firstName: 'Ben' });
  const refused = { ...PERSON, email: 'nobody@refused.example' };
  await expect(browser.post('/api/auth/send-signup-confirmation', refused)).rejects.toThrow(/422.*mail_refused/);
  await browser.post('/api/auth/send-reset', { email: PERSON.email });
  await eventually(async () => smtp.mails.some(({ subject }) => /reset/i.test(subject)), 'the reset code');
  expect((await workOf(worker)).join('\n')).toMatch(/arc_mails_total\{outcome="refused"\} 1/);
}, 60_000);

test('uploads are read by workers, and a refusal comes back with its own words', async () => {
  const form = new FormData();
  form.append('hazardLogFile', new Blob(['a,b\n1,2\n']), 'nothing.csv');
  await expect(browser.post('/api/arc-chat/upload-hazard-log', form)).rejects.toThrow(/422.*"code":"invalid_file"/);
  expect((await workOf(worker)).join('\n')).toMatch(/arc_document_jobs_total\{thread="clinicalSafety"\}/);
}, 60_000);

test('a model is asked by workers', async () => {
  const { asked } = outsideOf.worker.model;
  const before = asked.length;
  await browser.post('/api/arc-chat/send', {
    message: 'What goes wrong when a dose has the wrong unit?',
    clientId: 'model',
  });
  await eventually(async () => asked.length > before, 'a question to the model', 30_000);
}, 60_000);

test('a cancel over a web process reaches the worker before it renews its lease', async () => {
  const { asked } = outsideOf.worker.model;
  const before = asked.length;
  behaviour = { until: new Promise(() => undefined) };
  await browser.post('/api/arc-chat/send', {
    message: 'okapi every monday quux',
    clientId: 'stop',
  });
  await eventually(async () => asked.length > before, 'a question to the model', 30_000);
  const { working } = (await browser.get('/api/arc-chat/history')) as { working: { runId: string }[] };
  const begun = performance.now();
  await browser.post(`/api/arc-chat/runs/${working[0]?.runId}/cancel`);
  await eventually(async () => (await countOf('Cancelled. Nothing was changed')) === 1, 'the end of the run');
  expect(performance.now() - begun).toBeLessThan(2000);
}, 60_000);

test('a worker that is killed is replaced by another one within the lease, and each message is answered once', async () => {
  await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'three' });
  await worker.kill();
  await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'four' });
  const late = { ...PERSON, email: 'late@example.org' };
  await expect(browser.post('/api/auth/send-signup-confirmation', late)).rejects.toThrow(/503.*workers_unavailable/);
  worker = await start('worker');
  await eventually(async () => (await countOf('I never set a severity')) >= 3, 'both answers', 30_000);
  expect(await countOf('I never set a severity')).toBe(3);
  // Nobody waits for the code any more, and a person who tries again gets another one.
  expect(outsideOf.worker.smtp.mails.filter(({ to }) => to === 'late@example.org')).toEqual([]);
}, 120_000);

test('the web process has carried nothing on, sent no mail, asked no model and read no document', async () => {
  expect(await workOf(web)).toEqual([]);
  expect(outsideOf.web.smtp.mails).toEqual([]);
  expect(outsideOf.web.model.asked).toEqual([]);
});

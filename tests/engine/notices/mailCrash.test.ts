import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeBrowser } from '../../factories/httpPerson.ts';
import { eventually } from '../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../factories/process.ts';
import { startSmtp } from '../../fakes/smtp.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-mail-'));
const email = 'ada@example.org';
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let server: ServerProcess;
let secret = '';
const browser = makeBrowser(() => server.url);
const start = () => startProcess(directory, { SMTP_URL: smtp.url, PATIENCE_FACTOR: '0.1' });

beforeAll(async () => {
  smtp = await startSmtp();
  server = await start();
  const person = { email, password: 'correct-horse-1', firstName: 'Ada' };
  await browser.post('/api/auth/send-signup-confirmation', person);
  const code = /\d{6}/.exec(smtp.mails.at(-1)?.text ?? '')?.[0];
  await browser.post('/api/auth/verify-signup-confirmation', { ...person, code });
  const agent = { agentId: 'clinical_safety', tools: ['hazardanalysis'] };
  await browser.post('/api/user-agents/hire', agent);
  await browser.post('/api/user-agents/onboard', agent);
  await browser.put('/api/preferences', { questionMail: 'at-once' });
  const token = { name: 'n8n', scopes: ['questions:ask'], expiresInDays: 30 };
  ({ secret } = await browser.post('/api/access-tokens', token));
}, 120_000);
afterAll(async () => {
  await server.stop();
  await smtp.stop();
  rmSync(directory, { recursive: true, force: true });
});

const ask = (idempotencyKey: string) =>
  fetch(`${server.url}/api/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'approval', prompt: 'Release it?', idempotencyKey }),
  });
const questions = () => smtp.mails.filter(({ to, subject }) => to === email && subject.startsWith('n8n'));

test('a question whose process is killed while it is mailed is mailed once', async () => {
  const release = smtp.hold();
  expect((await ask('one')).status).toBe(200);
  await eventually(async () => smtp.connections() > 0, 'the mail to be under way');
  await server.kill();
  release();
  server = await start();
  await eventually(async () => questions().length > 0, 'the mail');
  // Asked again, as a program does that got no answer; and one more question, after which nothing is left to send.
  expect((await ask('one')).status).toBe(200);
  expect((await ask('two')).status).toBe(200);
  await eventually(async () => questions().length > 1, 'the second mail');
  expect(questions().map(({ subject }) => subject)).toEqual(Array(2).fill('n8n (a program) has a question for you'));
  expect(new Set(questions().map(({ headers }) => headers['message-id'])).size).toBe(2);
}, 120_000);

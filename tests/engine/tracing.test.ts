import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { makeBrowser } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { type Asked, type Behaviour, USAGE } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { startSmtp } from '../fakes/smtp.ts';
import { type SentSpan, startTraceCollector } from '../fakes/traceCollector.ts';

const TOKEN = 'a-token-of-the-collector';
const directories: string[] = [];
let model: Awaited<ReturnType<typeof startModelServer>>;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;

/** One tool that reads, then the answer. */
const behave = ({ messages }: Asked): Behaviour =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'MED-02 fits your words [1].' }
    : { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };

beforeAll(async () => {
  [model, collector, smtp] = await Promise.all([startModelServer(behave), startTraceCollector(TOKEN), startSmtp()]);
});
afterAll(async () => {
  await Promise.all([model.stop(), collector.stop(), smtp.stop()]);
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Starts a server, has it asked once, and stops it, which sends what is left of the traces. */
async function talkTo(environment: Record<string, string>): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-tracing-'));
  directories.push(directory);
  const server: ServerProcess = await startProcess(directory, {
    ...model.environment,
    SMTP_URL: smtp.url,
    ...environment,
  });
  try {
    const browser = makeBrowser(() => server.url);
    const person = { email: 'ada@example.org', password: 'correct-horse-1', firstName: 'Ada' };
    await browser.post('/api/auth/send-signup-confirmation', person);
    const code = /\d{6}/.exec(smtp.mails.findLast(({ to }) => to === person.email)?.text ?? '')?.[0];
    await browser.post('/api/auth/verify-signup-confirmation', { ...person, code });
    const agent = { agentId: 'clinical_safety', tools: ['clinicalsafety'] };
    await browser.post('/api/user-agents/hire', agent);
    await browser.post('/api/user-agents/onboard', agent);
    await browser.put('/api/preferences', { questionMail: 'at-once' });
    const token = { name: 'n8n', scopes: ['questions:ask'], expiresInDays: 30 };
    const { secret } = await browser.post('/api/access-tokens', token);
    const asked = await fetch(`${server.url}/api/questions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'approval', prompt: 'Release wombat?', idempotencyKey: 'one' }),
    });
    expect(asked.status).toBe(200);
    await eventually(
      async () => smtp.mails.some(({ subject }) => subject.startsWith('n8n')),
      'the mail of the question',
    );
    await browser.post('/api/arc-chat/send', { message: 'zebra quux fjord', clientId: 'once' });
    const answers = async () =>
      ((await browser.get('/api/arc-chat/history?limit=50')).messages as ChatMessage[])
        .filter(({ messageType, kind }) => messageType === 'assistant' && kind === 'text')
        .map(({ message }) => message);
    await eventually(async () => (await answers()).length > 0, 'the answer', 60_000);
    await eventually(async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed > 0, 'the charge');
    const said = await answers();
    return said;
  } finally {
    await server.stop();
  }
}

test('a turn, its run, its steps and its model calls stand in one trace, with ids and counts and without words', async () => {
  const said = await talkTo({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN}`,
    OTEL_SERVICE_NAME: 'arc-of-a-test',
  });
  expect(said).toEqual(['MED-02 fits your words [1].']);
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'arc-of-a-test', 'arc.role': 'all' });
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const [turn] = named('turn');
  const [run] = named('run');
  const steps = named('step');
  const calls = named('model call');
  expect(turn?.attributes).toMatchObject({ 'arc.channel': 'arc', 'arc.turn': expect.stringMatching(/^[0-9a-f]{24}$/) });
  expect(turn?.parentSpanId).toBeFalsy();
  // A process that carries the run on later finds the same trace by the key with which it was started.
  const started = createHash('sha256').update(`turn:${turn?.attributes['arc.turn']}`).digest('hex');
  expect(turn?.traceId).toBe(started.slice(0, 32));
  expect(run).toMatchObject({ parentSpanId: turn?.spanId, traceId: turn?.traceId });
  expect(run?.attributes).toMatchObject({ 'arc.agent': 'clinical_safety', 'arc.attempt': 1 });
  expect(steps.length).toBeGreaterThanOrEqual(1);
  expect(new Set(steps.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([run?.spanId]));
  expect(calls).toHaveLength(2);
  for (const call of calls) {
    expect(call.traceId).toBe(turn?.traceId);
    expect(steps.map(({ spanId }: SentSpan) => spanId)).toContain(call.parentSpanId);
    expect(call.attributes).toMatchObject({ 'arc.tokens': USAGE.input + USAGE.output, 'arc.attempt': 1 });
  }
  const mails = named('delivery').filter(({ attributes }) => attributes['arc.surface'] === 'mail');
  expect(mails.length).toBeGreaterThanOrEqual(1);
  expect(mails[0]?.attributes).toMatchObject({ 'arc.attempt': 1, 'arc.account': turn?.attributes['arc.account'] });
  const words = collector.texts.join();
  for (const secret of ['zebra', 'wombat', 'quux', 'fits your words', 'ada@example.org', 'Ada'])
    expect(words).not.toContain(secret);
}, 120_000);

test('a collector that refuses costs no answer', async () => {
  const before = collector.spans.length;
  const refused = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=none' };
  expect(await talkTo(refused)).toEqual(['MED-02 fits your words [1].']);
  expect(collector.spans).toHaveLength(before);
}, 120_000);

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { type Asked, type Behaviour, USAGE } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { startNotion } from '../fakes/notion.ts';

// Two processes are slow to start, so that what is tested with two stands here.

const ANSWER = 'MED-02 fits your words [1].';
const directory = mkdtempSync(join(tmpdir(), 'arc-taken-over-'));
let model: Awaited<ReturnType<typeof startModelServer>>;
let notion: Awaited<ReturnType<typeof startNotion>>;
let processes: ServerProcess[];
let url = '';
const browser = makeBrowser(() => url);
let isHeld = true;

/** Looks one thing up; the second call is held for as long as the first process lives. */
function behave({ messages }: Asked): Behaviour {
  if (!messages.some(({ role }) => role === 'tool'))
    return { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };
  return isHeld ? { text: ANSWER, until: new Promise(() => undefined) } : { text: ANSWER };
}

beforeAll(async () => {
  model = await startModelServer(behave);
  const address = 'http://127.0.0.1:4999';
  notion = await startNotion({
    ...{ id: 'arc-app', secret: 'notion-secret' },
    redirectUris: [`${address}/api/oauth/notion/callback`],
  });
  const uri = String(process.env.TEST_STORE_URI).replace(/\/(?=\?|$)/, `/t_${randomBytes(6).toString('hex')}`);
  const environment = {
    MONGODB_URI: uri,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    PATIENCE_FACTOR: '0.2',
    BASE_URL: address,
    ...model.environment,
    ...{ NOTION_CLIENT_ID: 'arc-app', NOTION_CLIENT_SECRET: 'notion-secret', NOTION_BASE_URL: notion.url },
  };
  processes = [await startProcess(directory, environment)];
  processes.push(await startProcess(directory, environment));
  url = processes[0]?.url ?? '';
  await makeReady(browser, 'ada@example.org', ['clinicalsafety']);
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await Promise.all([model.stop(), notion.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

test('two processes that need a token at one moment refresh it once, and both use the new one', async () => {
  const [first, second] = processes as [ServerProcess, ServerProcess];
  notion.put('root', { title: 'Safety case', parent: { type: 'workspace' } });
  notion.behaviour.lifetime = 1;
  const page = await fetch(await browser.get('/api/oauth/notion/authorize?from=/workspace'), { redirect: 'manual' });
  const back = new URL(String(page.headers.get('location')));
  expect(await browser.get(back.pathname + back.search)).toBe('/workspace?oauth=success&service=notion');
  notion.behaviour.lifetime = 3600;
  notion.asked.length = 0;
  const release = notion.hold();
  const read = (server: ServerProcess) => {
    url = server.url;
    return browser.get('/api/connectors/notion/scope');
  };
  const asked = [first, second, first, second].map(read);
  await eventually(async () => notion.waiting() > 0, 'a process to refresh');
  // Each process has had those calls, as it answers a later one.
  for (const server of [first, second]) {
    url = server.url;
    await browser.get('/api/oauth/status/all');
  }
  expect(notion.waiting()).toBe(1);
  release();
  for (const { fields } of await Promise.all(asked))
    expect(fields[0].options).toEqual([{ value: 'root/Safety case', label: 'Safety case' }]);
  expect(notion.asked.filter(({ path }) => path === '/v1/oauth/token')).toHaveLength(1);
  url = first.url;
}, 60_000);

test('a second process takes over a run whose process ended in the middle of a model call', async () => {
  const [first, second] = processes as [ServerProcess, ServerProcess];
  await browser.post('/api/arc-chat/send', { message: 'What goes wrong when a dose has the wrong unit?' });
  await eventually(async () => model.asked.length === 2, 'the second model call');
  isHeld = false;
  await first.kill();
  url = second.url;
  const answers = async () =>
    ((await browser.get('/api/arc-chat/history')) as { messages: ChatMessage[] }).messages
      .filter(({ messageType, kind }) => messageType === 'assistant' && kind === 'text')
      .map(({ message }) => message);
  await eventually(async () => (await answers()).length > 0, 'the answer of the second process', 60_000);
  expect(await answers()).toEqual([ANSWER]);
  // The first call was saved; only the one that was under way is asked again.
  expect(model.asked).toHaveLength(3);
  // None of what the model was sent holds what a connected tool gave for Arc alone.
  expect(JSON.stringify(model.asked)).not.toMatch(/access-|refresh-|notion-secret/);
  const paid = 2 * (USAGE.input + USAGE.output) + LIMITS.credits.step;
  const used = async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed;
  await eventually(async () => (await used()) === paid, `${paid} to be paid`);
}, 120_000);

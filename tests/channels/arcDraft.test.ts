import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { io as connectSocket, type Socket } from 'socket.io-client';
import type { ChatMessage, RunProgress } from '../../models/contracts/chat.ts';
import type { ServerEvents } from '../../models/contracts/realtime.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { startStoreProxy } from '../factories/storeProxy.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-draft-'));
let proxy: Awaited<ReturnType<typeof startStoreProxy>>;
let model: Awaited<ReturnType<typeof startModelServer>>;
let environment: Record<string, string>;
let watched: ServerProcess;
let working: ServerProcess;
let socket: Socket<ServerEvents, Record<string, never>>;
const browser = makeBrowser(() => working.url);

const SENTENCES = [
  'MED-02 fits your words [1].',
  'It is MED-02 that fits [1].',
  'So I name MED-02 here [1].',
  'Nothing fits as MED-02 does [1].',
  'Ask me about MED-02 [1].',
];

/** One tool, then an answer whose sentences come about a second apart. */
function behave({ messages }: Asked): Behaviour {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };
  return { text: SENTENCES.join(' '), pause: 700 };
}

beforeAll(async () => {
  proxy = await startStoreProxy(String(process.env.TEST_STORE_URI));
  model = await startModelServer(behave);
  environment = {
    MONGODB_URI: proxy.uri(`t_${randomBytes(6).toString('hex')}`),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    ...model.environment,
  };
  working = await startProcess(directory, environment);
  watched = await startProcess(directory, { ...environment, ROLE: 'web' });
  await makeReady(browser, 'ada@example.org', ['clinicalsafety']);
  socket = connectSocket(watched.url, {
    transports: ['websocket'],
    extraHeaders: { cookie: browser.cookie() },
    forceNew: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
}, 120_000);
afterAll(async () => {
  socket.close();
  await Promise.all([watched.stop(), working.stop()]);
  await model.stop();
  await proxy.stop();
  rmSync(directory, { recursive: true, force: true });
});

type History = { messages: ChatMessage[]; working: RunProgress[] };
/** What a page that is loaded from a process shows. @returns null where nothing has changed since the tag */
async function load(from: ServerProcess, tag = ''): Promise<{ history: History; tag: string } | null> {
  const answer = await fetch(`${from.url}/api/arc-chat/history?limit=50`, {
    headers: { cookie: browser.cookie(), 'if-none-match': tag },
  });
  if (answer.status === 304) return null;
  return { history: (await answer.json()) as History, tag: answer.headers.get('etag') ?? '' };
}
const saidIn = (history: History) => history.working[0]?.said ?? '';
const answersIn = ({ messages }: History) =>
  messages.filter(({ messageType, kind }) => messageType === 'assistant' && kind === 'text');

test('a page of another process shows what was written so far, goes on, and ends with the one answer', async () => {
  let announced = 0;
  socket.on('changed', (topics) => {
    if (topics.includes('chat')) announced += 1;
  });
  await browser.post('/api/arc-chat/send', { message: 'zebra every monday quux' });
  const first = await eventually(async () => {
    const loaded = await load(watched);
    return loaded && saidIn(loaded.history) ? loaded : null;
  }, 'the first sentence');
  expect(SENTENCES.join(' ').startsWith(saidIn(first.history))).toBe(true);
  // The process that does the work shows the same, or more, after a reload.
  const own = await load(working);
  expect(own && saidIn(own.history).startsWith(String(SENTENCES[0]))).toBe(true);
  const before = announced;
  const more = await eventually(async () => {
    const loaded = await load(watched, first.tag);
    return loaded && saidIn(loaded.history).length > saidIn(first.history).length ? loaded : null;
  }, 'more of it');
  expect(saidIn(more.history).startsWith(saidIn(first.history))).toBe(true);
  await eventually(async () => announced > before, 'the change to be announced');
  const done = await eventually(async () => {
    const loaded = await load(watched);
    return loaded && loaded.history.working.length === 0 ? loaded : null;
  }, 'the end');
  expect(answersIn(done.history).map(({ message }) => message)).toEqual([SENTENCES.join(' ')]);
}, 120_000);

test('what was written before a crash is shown until the answer goes on', async () => {
  await browser.post('/api/arc-chat/send', { message: 'zebra every tuesday quux' });
  const said = async () => {
    const loaded = await load(watched);
    return loaded && saidIn(loaded.history);
  };
  await eventually(async () => (await said()) !== '', 'the first sentence');
  await working.kill();
  expect(await said()).toContain(SENTENCES[0]);
  working = await startProcess(directory, environment);
  const done = await eventually(
    async () => {
      const loaded = await load(watched);
      return loaded && loaded.history.working.length === 0 ? loaded : null;
    },
    'the end',
    60_000,
  );
  expect(answersIn(done.history)).toHaveLength(2);
}, 120_000);

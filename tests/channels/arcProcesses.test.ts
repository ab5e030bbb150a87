import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { io as connectSocket, type Socket } from 'socket.io-client';
import type { ServerEvents } from '../../models/contracts/realtime.ts';
import { makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { startStoreProxy } from '../factories/storeProxy.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-processes-'));
let proxy: Awaited<ReturnType<typeof startStoreProxy>>;
let watched: ServerProcess;
let working: ServerProcess;
let socket: Socket<ServerEvents, Record<string, never>>;
const browser = makeBrowser(() => working.url);

beforeAll(async () => {
  proxy = await startStoreProxy(String(process.env.TEST_STORE_URI));
  const environment = {
    MONGODB_URI: proxy.uri(`t_${randomBytes(6).toString('hex')}`),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  };
  working = await startProcess(directory, environment);
  watched = await startProcess(directory, { ...environment, ROLE: 'web' });
  await makeReady(browser, 'ada@example.org');
  await uploadSample(browser);
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
  await proxy.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('a question from one process is announced once by another within a second', async () => {
  const told: { at: number; interruptId: number; prompt: string }[] = [];
  socket.on('asked', (question) => told.push({ at: performance.now(), ...question }));
  const [agent] = await browser.get('/api/user-agents');
  await browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log' });
  const asked = await eventually(async () => {
    const [question] = await browser.get(`/api/agents/${agent.id}/interrupts`);
    return question && { at: performance.now(), ...question };
  }, 'the question');
  await eventually(async () => told.length > 0, 'the toast', 10_000);
  expect(told).toMatchObject([{ interruptId: asked.id, prompt: asked.prompt }]);
  expect((told[0]?.at ?? 0) - asked.at).toBeLessThan(1000);
  // While it waits, further changes do not announce it again.
  let heard = 0;
  socket.on('changed', (topics) => {
    if (topics.includes('interrupts')) heard += 1;
  });
  for (let version = 0; version < 2; version += 1) {
    const before = heard;
    await browser.put(`/api/interrupts/${asked.id}/draft`, { rows: [], version });
    await eventually(async () => heard > before, 'the draft');
  }
  expect(told).toHaveLength(1);
}, 120_000);

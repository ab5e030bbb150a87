import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { io as connectSocket, type Socket } from 'socket.io-client';
import type { ClientEvents, ServerEvents } from '../../models/contracts/realtime.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { startStoreProxy } from '../factories/storeProxy.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-lost-store-'));
let proxy: Awaited<ReturnType<typeof startStoreProxy>>;
let server: ServerProcess;
let socket: Socket<ServerEvents, ClientEvents>;
const browser = makeBrowser(() => server.url);
const status = async (path: string) => {
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie: browser.cookie() } });
  return { status: answer.status, body: (await answer.json()) as { code?: string } };
};

beforeAll(async () => {
  proxy = await startStoreProxy(String(process.env.TEST_STORE_URI));
  server = await startProcess(directory, {
    MONGODB_URI: `${proxy.uri(`t_${randomBytes(6).toString('hex')}`)}&serverSelectionTimeoutMS=1500`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
  });
  await makeReady(browser, 'ada@example.org');
  socket = connectSocket(server.url, {
    transports: ['websocket'],
    extraHeaders: { cookie: browser.cookie() },
    forceNew: true,
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
}, 120_000);
afterAll(async () => {
  socket.close();
  await server.stop();
  await proxy.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('while the store is down, calls and sockets say so, and everything continues when it is back', async () => {
  // Work in each of its states is under way when the store goes down.
  for (let index = 0; index < 5; index += 1) socket.emit('send', { message: 'help' }, () => undefined);
  proxy.cut();
  expect(await status('/api/arc-chat/history')).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
  expect(await status('/api/user-agents')).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
  expect((await status('/readyz')).status).toBe(503);
  expect((await status('/healthz')).status).toBe(200);
  const answer = await socket.emitWithAck('send', { message: 'help' });
  expect(answer).toEqual({ success: false, error: 'The data store does not answer. Please try again in a moment.' });

  proxy.mend();
  await eventually(async () => (await status('/readyz')).status === 200, 'readiness');
  expect((await status('/api/arc-chat/history')).status).toBe(200);
  expect(await socket.emitWithAck('send', { message: 'help' })).toMatchObject({ success: true });
  expect(server.child.exitCode).toBeNull();
});

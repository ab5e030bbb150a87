import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readSample } from '../../bot/engine/hazards/sample/readSample.ts';
import type { RunProgress } from '../../models/contracts/chat.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { startStoreProxy } from '../factories/storeProxy.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-ledger-'));
let proxy: Awaited<ReturnType<typeof startStoreProxy>>;
let server: ServerProcess;
let environment: Record<string, string>;
const browser = makeBrowser(() => server.url);
const readUsed = async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed as number;
const readRun = async () => ((await browser.get('/api/arc-chat/history')).working as RunProgress[])[0];

beforeAll(async () => {
  proxy = await startStoreProxy(String(process.env.TEST_STORE_URI));
  environment = {
    MONGODB_URI: proxy.uri(`t_${randomBytes(6).toString('hex')}`),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  };
  server = await startProcess(directory, environment);
  await makeReady(browser, 'ada@example.org');
  const { log, tickets } = await readSample();
  for (const { fileName, bytes } of [tickets, log]) {
    const form = new FormData();
    form.append('hazardLogFile', new Blob([new Uint8Array(bytes)]), fileName);
    await browser.post('/api/arc-chat/upload-hazard-log', form);
  }
}, 60_000);
afterAll(async () => {
  await server.stop();
  await proxy.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('killed while a run is being ended, the credits that it did not use come back', async () => {
  await browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log', clientId: 'one' });
  const waiting = await eventually(async () => {
    const run = await readRun();
    return run?.status === 'waiting' ? run : null;
  }, 'the review');
  expect(await readUsed()).toBe(40);

  const told = proxy.hold('ledgerEntries');
  const cancelled = browser.post(`/api/arc-chat/runs/${waiting.runId}/cancel`).catch(() => null);
  await told;
  // Whatever else the end writes is written by now: others are answered meanwhile.
  for (let asked = 0; asked < 20; asked += 1) await browser.get('/api/auth/status');
  await server.kill();
  await cancelled;
  proxy.release();
  server = await startProcess(directory, environment);
  await eventually(async () => (await readUsed()) === 30, 'what was set aside and not used', 40_000);
}, 90_000);

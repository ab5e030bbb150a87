import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunProgress } from '../../models/contracts/chat.ts';
import { type HeldServer, startHeldServer } from '../factories/heldServer.ts';
import { makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';

let server: HeldServer;
const browser = makeBrowser(() => server.url());
const readUsed = async () => (await browser.get('/api/user/tokens/balance')).balance.tokensUsed as number;
const readRun = async () => ((await browser.get('/api/arc-chat/history')).working as RunProgress[])[0];

beforeAll(async () => {
  server = await startHeldServer({});
  await makeReady(browser, 'ada@example.org');
  await uploadSample(browser);
}, 120_000);
afterAll(() => server.stop());

test('a run killed while it ends gets its unused credits back', async () => {
  await browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log', clientId: 'one' });
  const waiting = await eventually(async () => {
    const run = await readRun();
    return run?.status === 'waiting' ? run : null;
  }, 'the review');
  expect(await readUsed()).toBe(40);

  const told = server.hold('ledgerEntries');
  const cancelled = browser.post(`/api/arc-chat/runs/${waiting.runId}/cancel`).catch(() => null);
  await told;
  // Other requests have been answered meanwhile, so everything else that the end writes has been written.
  for (let asked = 0; asked < 20; asked += 1) await browser.get('/api/auth/status');
  await server.kill();
  await cancelled;
  await server.restart();
  await eventually(async () => (await readUsed()) === 30, 'the return of unused credits', 40_000);
}, 90_000);

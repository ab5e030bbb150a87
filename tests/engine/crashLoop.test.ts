import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { forkServer, type ServerProcess, startProcess } from '../factories/process.ts';
import { startStoreProxy } from '../factories/storeProxy.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-loop-'));
let proxy: Awaited<ReturnType<typeof startStoreProxy>>;
let environment: Record<string, string>;
let server: ServerProcess;
const browser = makeBrowser(() => server.url);

beforeAll(async () => {
  proxy = await startStoreProxy(String(process.env.TEST_STORE_URI));
  environment = {
    MONGODB_URI: proxy.uri(`t_${randomBytes(6).toString('hex')}`),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  };
  server = await startProcess(directory, environment);
  await makeReady(browser, 'ada@example.org');
}, 120_000);
afterAll(async () => {
  await server.stop();
  await proxy.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('a message that crashed three processes is set aside with a notice, and the next one is answered', async () => {
  const begun = proxy.hold('messages');
  await browser.post('/api/arc-chat/send', { message: 'What is the risk matrix?', clientId: 'one' });
  await begun;
  await server.kill();
  for (let died = 1; died < 3; died += 1) {
    const again = proxy.hold('messages');
    const child = forkServer('.cache/server/start.js', directory, environment);
    await again;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  proxy.release();
  server = await startProcess(directory, environment);
  const said = async () =>
    ((await browser.get('/api/arc-chat/history')).messages as ChatMessage[]).map(({ message }) => message);
  await eventually(async () => (await said()).some((text) => text.includes('set that message aside')), 'the words');
  expect(await said()).toHaveLength(1);
  await browser.post('/api/arc-chat/send', { message: 'help', clientId: 'two' });
  await eventually(async () => (await said()).some((text) => text.includes('I never set a severity')), 'the answer');
}, 90_000);

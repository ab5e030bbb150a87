import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { startStoreProxy } from '../factories/storeProxy.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { nextTs, type Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-stored-'));
let proxy: Awaited<ReturnType<typeof startStoreProxy>>;
let slack: FakeSlack;
let workspace: Workspace;
let server: ServerProcess;
let environment: Record<string, string>;
const sender = makeSender(
  () => server.url,
  () => `${slack.url}/response`,
);

beforeAll(async () => {
  [slack, proxy] = await Promise.all([startSlack(), startStoreProxy(String(process.env.TEST_STORE_URI))]);
  workspace = slack.addWorkspace('T1');
  environment = {
    ...slackEnvironment(slack.apiUrl),
    MONGODB_URI: proxy.uri(`t_${randomBytes(6).toString('hex')}`),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  };
  server = await startProcess(directory, environment);
  const browser = makeBrowser(() => server.url);
  await makeReady(browser, 'ada@example.org');
  const vendor = await fetch(String(await browser.get('/api/oauth/slack/authorize')), { redirect: 'manual' });
  const back = new URL(String(vendor.headers.get('location')));
  await browser.get(`${back.pathname}${back.search}`);
  const [installation] = await browser.get('/api/channels/slack/installations');
  await browser.put(`/api/channels/slack/installations/${installation.id}`, { admits: 'workspace' });
  workspace.users.set('U1', { id: 'U1', email: 'someone@example.org', name: 'Someone' });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([slack.stop(), proxy.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

test('killed after it was told and before it was stored, nothing was acknowledged, and Slack’s next try is answered', async () => {
  const ts = nextTs();
  const told = proxy.hold('turns');
  let acknowledged: number | null = null;
  const sent = sender.mention(workspace, 'U1', 'C1', 'help', { ts }).then(
    ({ status }) => {
      acknowledged = status;
    },
    () => undefined,
  );
  await told;
  // Whatever else is asked is answered meanwhile: an acknowledgement would have come, too.
  for (let asked = 0; asked < 5; asked += 1) expect((await sender.verify()).status).toBe(200);
  expect(acknowledged).toBeNull();
  await server.kill();
  await sent;
  expect(acknowledged).toBeNull();

  proxy.release();
  server = await startProcess(directory, environment);
  expect([...workspace.messages.values()]).toEqual([]);
  expect((await sender.mention(workspace, 'U1', 'C1', 'help', { ts })).status).toBe(200);
  await eventually(async () => workspace.messages.size > 0, 'the reply');
  expect(workspace.messages.size).toBe(1);
}, 90_000);

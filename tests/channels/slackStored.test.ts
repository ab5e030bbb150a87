import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type HeldServer, startHeldServer } from '../factories/heldServer.ts';
import { connectSlack, makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { nextTs, type Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';

let slack: FakeSlack;
let workspace: Workspace;
let server: HeldServer;
const sender = makeSender(
  () => server.url(),
  () => `${slack.url}/response`,
);

beforeAll(async () => {
  slack = await startSlack();
  workspace = slack.addWorkspace('T1');
  server = await startHeldServer(slackEnvironment(slack.apiUrl));
  const browser = makeBrowser(() => server.url());
  await makeReady(browser, 'ada@example.org');
  await connectSlack(browser, workspace);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await slack.stop();
});

test('an event received just before a kill was not acknowledged, and Slack’s retry is answered', async () => {
  const ts = nextTs();
  const told = server.hold('turns');
  let acknowledged: number | null = null;
  const sent = sender.mention(workspace, 'U1', 'C1', 'help', { ts }).then(
    ({ status }) => {
      acknowledged = status;
    },
    () => undefined,
  );
  await told;
  // Other requests are answered meanwhile, so an acknowledgement would have arrived too.
  for (let asked = 0; asked < 5; asked += 1) expect((await sender.verify()).status).toBe(200);
  expect(acknowledged).toBeNull();
  await server.kill();
  await sent;
  expect(acknowledged).toBeNull();

  await server.restart();
  expect([...workspace.messages.values()]).toEqual([]);
  expect((await sender.mention(workspace, 'U1', 'C1', 'help', { ts })).status).toBe(200);
  await eventually(async () => workspace.messages.size > 0, 'the reply');
  expect(workspace.messages.size).toBe(1);
}, 90_000);

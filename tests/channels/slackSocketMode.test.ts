import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Server } from '../factories/server.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { nextTs } from '../fakes/slack/methods.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';

const OPEN = 'apps.connections.open';
let slack: FakeSlack;
let server: Server;
let factories: typeof import('../factories/person.ts');

beforeAll(async () => {
  slack = await startSlack();
  Object.assign(process.env, slackEnvironment(slack.apiUrl), { SLACK_APP_TOKEN: 'xapp-1' });
  const { startServer } = await import('../factories/server.ts');
  factories = await import('../factories/person.ts');
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await slack.stop();
});

/** @shows GET /api/channels/:channel/installations, PUT /api/channels/:channel/installations/:id */
test('events, commands and clicks arrive over the app’s socket, are acknowledged there, and answered', async () => {
  const workspace = slack.addWorkspace('T1');
  const owner = await factories.signUpReady(server);
  const begun = await owner.browser.get('/api/oauth/slack/authorize').expect(302);
  const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
  const back = new URL(String(vendor.headers.get('location')));
  await owner.browser.get(`${back.pathname}${back.search}`).expect(302);
  const [installation] = (await owner.browser.get('/api/channels/slack/installations')).body;
  await owner.browser
    .put(`/api/channels/slack/installations/${installation.id}`)
    .send({ admits: 'workspace' })
    .expect(200);
  workspace.users.set('U1', { id: 'U1', email: 'someone@example.org', name: 'Someone' });
  await factories.eventually(async () => slack.sockets.connected() > 0, 'the socket');
  const ts = nextTs();
  const id = slack.sockets.send('events_api', {
    team_id: 'T1',
    api_app_id: 'A1',
    type: 'event_callback',
    event_id: 'Ev1',
    authorizations: [
      { team_id: 'T1', enterprise_id: null, user_id: 'UBOTT1', is_bot: true, is_enterprise_install: false },
    ],
    event: { type: 'message', channel_type: 'im', user: 'U1', channel: 'D1', text: 'help', ts, event_ts: ts },
  });
  await factories.eventually(async () => slack.sockets.acknowledged.has(id), 'the acknowledgement');
  await factories.eventually(
    async () => [...workspace.messages.values()].some(({ text }) => text.includes('I never set a severity')),
    'the reply',
  );
  expect([...workspace.messages.values()]).toHaveLength(1);

  const from = { team: { id: 'T1' }, enterprise: null, is_enterprise_install: false, api_app_id: 'A1' };
  const response = { trigger_id: 'trigger-1', response_url: `${slack.url}/response/T1` };
  const acknowledged = async (envelope: string) => {
    await factories.eventually(async () => slack.sockets.acknowledged.has(envelope), 'the acknowledgement');
    return slack.sockets.acknowledged.get(envelope);
  };
  const command = slack.sockets.send('slash_commands', {
    ...response,
    command: '/arc',
    text: 'help',
    team_id: 'T1',
    user_id: 'U1',
    channel_id: 'C1',
    is_enterprise_install: 'false',
  });
  expect(await acknowledged(command)).toMatchObject({ text: expect.stringContaining('/arc ask') });
  const click = slack.sockets.send('interactive', {
    type: 'block_actions',
    ...from,
    ...response,
    user: { id: 'U1', team_id: 'T1' },
    container: { type: 'message' },
    channel: { id: 'C1' },
    message: { ts: '1.1' },
    actions: [{ block_id: 'b', action_ts: '1', type: 'button', action_id: 'answer:approve', value: '1' }],
  });
  expect(await acknowledged(click)).toEqual({});
  // A person who may ask but not answer is told so.
  expect(slack.callsOf('response_url').map(({ body }) => body.text)).toEqual([expect.stringMatching(/permission/)]);
});

test.each([
  ['an outage', () => slack.fail(OPEN, 503, 4)],
  ['a refusal that the library takes for final', () => slack.refuse(OPEN, 'invalid_auth', 4)],
  ['a slow-down', () => slack.fail(OPEN, 429, 1, 1)],
])('a connection lost to %s is restored, however often that is refused', async (_what, begin) => {
  const before = slack.callsOf(OPEN).length;
  await factories.eventually(async () => slack.sockets.connected() > 0, 'the socket');
  begin();
  slack.sockets.drop();
  await factories.eventually(
    async () => slack.callsOf(OPEN).length > before && slack.sockets.connected() > 0,
    'the new socket',
  );
});

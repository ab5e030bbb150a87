import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type HeldServer, startHeldServer } from '../factories/heldServer.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { postsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { makeSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser, type FakeTeams, startTeams } from '../fakes/teams/server.ts';
import { nextId, type Tenant } from '../fakes/teams/tenant.ts';

let teams: FakeTeams;
let tenant: Tenant;
let place: Place;
let server: HeldServer;
const sender = () => makeSender(teams, () => server.url());

beforeAll(async () => {
  teams = await startTeams();
  tenant = teams.addTenant();
  server = await startHeldServer(teamsEnvironment(teams, tenant));
  const browser = makeBrowser(() => server.url());
  await makeReady(browser, 'ada@example.org');
  const registration = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
  await browser.post('/api/teams/connect', registration);
  const [installation] = await browser.get('/api/channels/teams/installations');
  await browser.put(`/api/channels/teams/installations/${installation.id}`, { admits: 'workspace' });
  const user = addUser(tenant, 'Someone', 'someone@example.org');
  place = { tenant, user, conversation: addConversation(tenant, 'personal', [user]) };
  await sender().install(place);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await teams.stop();
});

test('an activity received just before a kill was not acknowledged, and Teams’ retry is answered', async () => {
  const id = nextId();
  const told = server.hold('turns');
  let acknowledged: number | null = null;
  const sent = sender()
    .message(place, 'help', { id })
    .then(
      ({ status }) => {
        acknowledged = status;
      },
      () => undefined,
    );
  await told;
  // Other requests are answered meanwhile, so an acknowledgement would have arrived too.
  for (let asked = 0; asked < 5; asked += 1)
    expect((await sender().send(sender().envelope(place, 'typing'), tenant)).status).toBe(200);
  expect(acknowledged).toBeNull();
  await server.kill();
  await sent;
  expect(acknowledged).toBeNull();

  await server.restart();
  expect(postsOf(tenant)).toEqual([]);
  expect((await sender().message(place, 'help', { id })).status).toBe(200);
  await eventually(async () => postsOf(tenant).length > 0, 'the reply');
  expect(postsOf(tenant)).toHaveLength(1);
  expect(wordsOf(postsOf(tenant)[0] as never)).toMatch(/I never set a severity/);
}, 90_000);

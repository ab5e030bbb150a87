import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { postsOf, verbsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { makeSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser, type FakeTeams, startTeams } from '../fakes/teams/server.ts';
import { nextId, type TeamsUser, type Tenant } from '../fakes/teams/tenant.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-teams-'));
let teams: FakeTeams;
let server: ServerProcess;
let tenant: Tenant;
let user: TeamsUser;
const browser = makeBrowser(() => server.url);
const start = () => startProcess(directory, teamsEnvironment(teams, tenant));
const chat = (): Place => ({ tenant, user, conversation: addConversation(tenant, 'personal', [user]) });
const sender = () => makeSender(teams, () => server.url);

beforeAll(async () => {
  teams = await startTeams();
  tenant = teams.addTenant();
  server = await start();
  await makeReady(browser, 'ada@example.org');
  const registration = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
  await browser.post('/api/teams/connect', registration);
  const [installation] = await browser.get('/api/channels/teams/installations');
  // Anyone of the organisation may ask: the e-mail of an account made without mail is not verified.
  await browser.put(`/api/channels/teams/installations/${installation.id}`, { admits: 'workspace' });
  user = addUser(tenant, 'Someone', 'someone@example.org');
}, 60_000);
afterAll(async () => {
  await server.stop();
  await teams.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('kill -9 with Teams', () => {
  test('what was acknowledged is answered, what was not Teams sends again; each once', async () => {
    const messages = Array.from({ length: 30 }, () => ({ place: chat(), id: nextId() }));
    await sender().install(messages[0]?.place as Place);
    const send = ({ place, id }: (typeof messages)[number]) =>
      sender()
        .message(place, 'help', { id })
        .then(
          ({ status }) => status === 200,
          () => false,
        );
    const first = messages.map(send);
    await Promise.race(first);
    await server.kill();
    const acknowledged = await Promise.all(first);
    server = await start();
    // What was not acknowledged comes again, and now and then what was, too.
    const again = messages.filter((_, index) => !acknowledged[index] || index % 5 === 0);
    expect((await Promise.all(again.map(send))).every(Boolean)).toBe(true);
    const answered = () => new Set(postsOf(tenant).map(({ conversationId }) => conversationId));
    await eventually(async () => answered().size === messages.length, 'every reply', 60_000);
    expect(postsOf(tenant)).toHaveLength(messages.length);
  }, 120_000);

  test('between the answer and what follows from it: the run ends once, the card is closed, by a reference of before', async () => {
    const place = chat();
    const posts = () => postsOf(tenant).filter(({ conversationId }) => conversationId === place.conversation.id);
    await sender().message(place, 'Try it with a sample');
    await eventually(async () => posts().some((post) => /sample/.test(wordsOf(post))), 'the sample');
    await sender().message(place, 'Analyse my hazard log');
    const question = await eventually(
      async () => posts().find(({ card }) => JSON.stringify(card ?? {}).includes('"refresh"')),
      'the question',
      40_000,
    );
    const [agent] = await browser.get('/api/user-agents');
    const [asked] = (await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[];
    await browser.patch(`/api/interrupts/${asked?.id}/resolve`, { approved: true });
    await server.kill();
    server = await start();
    await eventually(async () => posts().some((post) => /Review recorded/.test(wordsOf(post))), 'the record', 60_000);
    await eventually(
      async () => {
        const now = tenant.posts.get(question.id);
        return now !== undefined && now.updates > 0 && verbsOf(now.card).length === 0;
      },
      'the buttons gone',
      60_000,
    );
    expect(posts().filter((post) => /Review recorded/.test(wordsOf(post)))).toHaveLength(1);
  }, 150_000);
});

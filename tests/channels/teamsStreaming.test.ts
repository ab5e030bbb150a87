import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { postsOf } from '../fakes/teams/organisation.ts';
import { makeSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser, type FakeTeams, startTeams } from '../fakes/teams/server.ts';
import type { Posted, TeamsUser, Tenant } from '../fakes/teams/tenant.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-teams-streaming-'));
let teams: FakeTeams;
let model: Awaited<ReturnType<typeof startModelServer>>;
let server: ServerProcess;
let tenant: Tenant;
let user: TeamsUser;
const browser = makeBrowser(() => server.url);
const sender = () => makeSender(teams, () => server.url);

const SENTENCES = ['MED-02 fits your words [1].', 'It is MED-02 that fits [1].', 'So I name MED-02 here [1].'];
/** Set where the model writes other words when it is asked again. */
let other: string | null = null;

/** What an answer waits for, by the number of its chunks that are sent: the second ends the first sentence. */
const waitsAfter = new Map<number, () => Promise<unknown>>();

/** One tool, then an answer whose sentences come about a second apart, or later. */
function behave({ messages }: Asked): Behaviour {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };
  return { text: other ?? SENTENCES.join(' '), pause: 500, before: (sent) => waitsAfter.get(sent)?.() };
}

const start = () =>
  startProcess(directory, {
    ...teamsEnvironment(teams, tenant),
    ...model.environment,
  });

beforeAll(async () => {
  teams = await startTeams();
  model = await startModelServer(behave);
  tenant = teams.addTenant();
  server = await start();
  await makeReady(browser, 'ada@example.org', ['clinicalsafety']);
  const registration = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
  await browser.post('/api/teams/connect', registration);
  const [installation] = await browser.get('/api/channels/teams/installations');
  await browser.put(`/api/channels/teams/installations/${installation.id}`, { admits: 'workspace' });
  user = addUser(tenant, 'Someone', 'someone@example.org');
}, 120_000);
afterAll(async () => {
  await server.stop();
  await teams.stop();
  await model.stop();
  rmSync(directory, { recursive: true, force: true });
});

const open = (type: 'personal' | 'groupChat'): Place => ({
  ...{ tenant, user },
  conversation: addConversation(tenant, type, [user]),
});
async function ask(place: Place): Promise<Place> {
  await sender().install(place);
  await sender().message(place, 'zebra every monday quux');
  return place;
}
afterEach(() => waitsAfter.clear());

const postsAt = ({ conversation }: Place) => postsOf(tenant).filter((post) => post.conversationId === conversation.id);
const shownAt = ({ conversation }: Place) =>
  tenant.typing.filter(({ conversationId, entities }) => conversationId === conversation.id && entities.length > 0);
const updatesAt = (place: Place) =>
  shownAt(place).map(({ entities, text }) => ({ ...(entities[0] as { streamType: string }), text }));
const streamedAt = (place: Place) =>
  updatesAt(place).flatMap(({ streamType, text }) => (streamType === 'streaming' ? [text] : []));
const answered = (place: Place, words: string): Promise<Posted> =>
  eventually(async () => postsAt(place).find(({ text }) => text.includes(words)), 'the answer', 40_000);

test('an answer that a model writes streams in a personal chat, and is one labelled message with thumbs', async () => {
  const place = open('personal');
  const shows = (count: number) => () =>
    eventually(async () => streamedAt(place).length >= count, `${count} parts of the answer`);
  waitsAfter.set(2, shows(1)).set(3, shows(2));
  await ask(place);
  const post = await answered(place, String(SENTENCES[2]));
  expect(updatesAt(place)[0]).toMatchObject({ streamType: 'informative', text: 'Thinking' });
  const texts = streamedAt(place);
  expect(texts.length).toBeGreaterThan(1);
  expect(texts[0]).toContain(SENTENCES[0]);
  expect(texts[0]).not.toContain(SENTENCES[2]);
  expect(post.text).toBe(`**Clara, Clinical safety officer**\n\n${SENTENCES.join(' ')}`);
  expect(post.activity).toMatchObject({
    entities: [{ streamType: 'final', streamId: post.id }, { additionalType: ['AIGeneratedContent'] }],
    channelData: { feedbackLoop: { type: 'default' } },
  });
  expect(postsAt(place)).toHaveLength(1);
}, 60_000);

test('in a group chat it is one message, and nothing is streamed', async () => {
  const place = await ask(open('groupChat'));
  await answered(place, SENTENCES.join(' '));
  expect(shownAt(place)).toEqual([]);
  expect(postsAt(place)).toHaveLength(1);
}, 60_000);

test('one whose process ends in the middle is completed by the next one, as one whole message', async () => {
  waitsAfter.set(2, () => new Promise(() => undefined));
  const place = await ask(open('personal'));
  await eventually(
    async () => shownAt(place).some(({ text }) => text.includes('MED-02')),
    'the first sentence',
    40_000,
  );
  await server.kill();
  other = 'Only MED-02 fits [1].';
  server = await start();
  await answered(place, other);
  expect(postsAt(place)).toMatchObject([{ text: `**Clara, Clinical safety officer**\n\n${other}` }]);
}, 120_000);

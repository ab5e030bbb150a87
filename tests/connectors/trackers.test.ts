/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { github } from '../../bot/connectors/github/index.ts';
import { linear } from '../../bot/connectors/linear/index.ts';
import { readTickets } from '../../bot/engine/trackers/readTickets.ts';
import { makeTicketFile } from '../../bot/engine/trackers/ticketFile.ts';
import { runInAccount } from '../../models/store/context.ts';
import { TicketReading } from '../../models/ticketReading.ts';
import { TrackedTicket } from '../../models/trackedTicket.ts';
import { connectTool, openConnector } from '../factories/connect.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { consent, returnFromProvider } from '../factories/thingsPlace.ts';
import { startGithub } from '../fakes/github.ts';
import { startLinear } from '../fakes/linear.ts';

type Fake = Awaited<ReturnType<typeof startLinear>> | Awaited<ReturnType<typeof startGithub>>;
const client = () => ({ id: 'arc', secret: 'shh', redirectUris: [] });
let server: Server;
let fakes: { linear: Fake; github: Fake };
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  fakes = { linear: await startLinear(client()), github: await startGithub(client()) };
  openConnector(linear, fakes.linear);
  openConnector(github, fakes.github);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([fakes.linear.stop(), fakes.github.stop()]);
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  owner = await signUp(server);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe.each([
  ['linear' as const, { team: 'NRL' }, 'team NRL', 'NRL-7', 'Bug', ''],
  ['github' as const, { repository: 'acme/nrl' }, 'issues of acme/nrl', 'nrl#7', 'bug', 'Bug'],
])('%s', (service, values, query, seventh, label, type) => {
  let fake: Fake;
  beforeEach(() => {
    fake = fakes[service];
    fake.clear();
  });
  afterEach(() => {
    fake.recover();
    fake.limit(false);
  });
  const inAccount = <T>(work: (accountId: number) => Promise<T>) =>
    runInAccount(owner.user.accountId, () => work(owner.user.accountId));
  const read = (onProgress: (done: number) => void = () => {}) =>
    inAccount((accountId) => readTickets(accountId, service, { by: 'a run', onProgress }));
  const keys = async () =>
    (await inAccount((accountId) => TrackedTicket.find({ accountId }).lean())).map(({ key }) => key);
  const scope = `/api/connectors/${service}/scope`;
  async function begin() {
    expect(await connectTool(owner, service)).toBe(`/workspace?oauth=success&service=${service}`);
    await owner.browser.put(scope).send({ values }).expect(200);
    fake.asked.length = 0;
  }

  test('reads the tickets of what was chosen, page by page', async () => {
    await begin();
    for (let number = 1; number <= 130; number += 1) fake.put(number, { description: `Text ${number}` });
    const seen: number[] = [];
    expect(await read((done) => seen.push(done))).toMatchObject({ count: 130, query });
    expect(seen.slice(0, 2)).toEqual([100, 130]);
    const row = await inAccount((accountId) => TrackedTicket.findOne({ accountId, key: seventh }).lean());
    expect(row).toMatchObject({ summary: 'Issue 7', description: 'Text 7', labels: [label], type });
    expect(row?.url).toMatch(/^https:\/\/\S+7$/);
    expect((await owner.browser.get(scope)).body.fields[0].options).toHaveLength(2);
  });

  test('reads a second time only what changed, and forgets what is gone', async () => {
    await begin();
    const before = Date.now() - 3 * 60 * 60_000;
    for (const number of [1, 2, 3]) fake.put(number, { updated: before });
    await read();
    fake.put(2, { title: 'Changed' });
    fake.remove(3);
    // A reading of all finds those that are gone where keys can't be listed; it is due once a day.
    const [readAt, allReadAt] = [new Date(before + 60 * 60_000), new Date(Date.now() - 24 * 60 * 60_000)];
    await inAccount((accountId) => TicketReading.updateOne({ accountId }, { $set: { readAt } }));
    fake.asked.length = 0;
    expect(await read()).toMatchObject({ changed: 1 });
    expect(fake.pages()).toHaveLength(1);
    await inAccount((accountId) => TicketReading.updateOne({ accountId }, { $set: { allReadAt } }));
    expect(await read()).toMatchObject({ count: 2 });
    expect(await keys()).toHaveLength(2);
  });

  test('reads again what changed up to five minutes before the last reading: indexes run late', async () => {
    await begin();
    const readAt = new Date(Date.now() - 60 * 60_000);
    const minutesBefore = (minutes: number) => readAt.getTime() - minutes * 60_000;
    for (const number of [1, 2]) fake.put(number, { updated: minutesBefore(60) });
    await read();
    await inAccount((accountId) => TicketReading.updateOne({ accountId }, { $set: { readAt } }));
    fake.put(1, { title: 'Seen late', updated: minutesBefore(4) });
    fake.put(2, { title: 'Before that', updated: minutesBefore(6) });
    expect(await read()).toMatchObject({ changed: 1 });
    const titles = await inAccount((accountId) => TrackedTicket.find({ accountId }).sort({ key: 1 }).lean());
    expect(titles.map(({ summary }) => summary)).toEqual(['Seen late', 'Issue 2']);
  });

  test('is read by one at a time; the same reader goes on, and another once a claim has ended', async () => {
    await begin();
    fake.put(1);
    const readAs = (by: string) => inAccount((accountId) => readTickets(accountId, service, { by }));
    const claimUntil = (until: number) =>
      inAccount((accountId) =>
        TicketReading.updateOne({ accountId }, { $set: { claim: { by: 'a run', until: new Date(until) } } }),
      );
    await read();
    await claimUntil(Date.now() + 60_000);
    await expect(readAs('another')).rejects.toMatchObject({
      code: 'not_available',
      message: expect.stringContaining('is being read already'),
    });
    expect(await readAs('a run')).toMatchObject({ count: 1 });
    await claimUntil(Date.now() - 1);
    expect(await readAs('another')).toMatchObject({ count: 1 });
  });

  test('is revoked there when it is disconnected, and all that was read is deleted', async () => {
    await begin();
    fake.put(1);
    await read();
    expect((await owner.browser.delete(`/api/oauth/${service}`).expect(200)).body).toEqual({
      success: true,
      revoked: true,
    });
    expect(await keys()).toEqual([]);
  });

  test('says a consent that is denied, a state that is not ours, and an expired code', async () => {
    const failed = (error: string) => `/workspace?oauth=error&service=${service}&error=${error}`;
    fake.behaviour.denies = true;
    expect(await connectTool(owner, service)).toBe(failed('access_denied'));
    fake.recover();
    const back = await consent(owner, service);
    back.searchParams.set('state', 'x'.repeat(32));
    expect(await returnFromProvider(owner, back)).toContain('error=not_begun_here');
    fake.behaviour.codeLifetime = 0;
    expect(await connectTool(owner, service)).toBe(failed('connection_refused'));
  });

  test('refreshes, and ends when a refresh is refused', async () => {
    fake.behaviour.lifetime = 1;
    await begin();
    expect(fake.asked).toEqual([]);
    fake.behaviour.lifetime = 3600;
    await read();
    expect(fake.asked.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
    fake.behaviour.lifetime = 1;
    await connectTool(owner, service);
    fake.revokeAll();
    await expect(read()).rejects.toMatchObject({ code: 'not_configured' });
    const { body } = await owner.browser.get(`/api/oauth/status/${service}`).expect(200);
    expect(body).toMatchObject({ authenticated: false, error: expect.stringContaining('Connect it again') });
  });

  test('says when it is down or its limit is used up; what was read stays', async () => {
    await begin();
    for (let number = 1; number <= 130; number += 1) fake.put(number);
    await expect(read(() => fake.fail(503, 'down', 3))).rejects.toMatchObject({ code: 'provider_unavailable' });
    fake.recover();
    fake.limit(true);
    await expect(read()).rejects.toMatchObject({ code: 'provider_unavailable' });
    fake.limit(false);
    expect(await read()).toMatchObject({ count: 130 });
  });

  test('begins anew where it has forgotten the place', async () => {
    if (!fake.forgetPages) return;
    await begin();
    for (let number = 1; number <= 130; number += 1) fake.put(number);
    let isForgotten = false;
    const forget = () => {
      if (!isForgotten) fake.forgetPages?.();
      isForgotten = true;
    };
    expect(await read(forget)).toMatchObject({ count: 130 });
  });
});

test('a file of tickets has those of its own tracker and company alone', async () => {
  const { accountId } = owner.user;
  const ticket = (key: string) => ({
    ...{ key, summary: key, description: '', type: '', labels: [], status: 'open', seenIn: 1 },
    ...{ url: `https://tracker.example/${key}`, changedAt: new Date() },
  });
  const keep = (account: number, connector: string, key: string) =>
    runInAccount(account, () => TrackedTicket.create({ ...ticket(key), accountId: account, connector }));
  const stranger = (await signUp(server)).user.accountId;
  await keep(accountId, 'linear', 'NRL-1');
  await keep(accountId, 'github', 'nrl#1');
  await keep(stranger, 'linear', 'THEIRS-1');
  const { bytes } = await runInAccount(accountId, () => makeTicketFile(accountId, 'linear', 'team NRL'));
  const [, ...rows] = Buffer.from(bytes).toString('utf8').trimEnd().split('\r\n');
  expect(rows.map((row) => row.split(',')[0])).toEqual(['"NRL-1"']);
});

test('pull requests are no tickets', async () => {
  await connectTool(owner, 'github');
  await owner.browser
    .put('/api/connectors/github/scope')
    .send({ values: { repository: 'acme/nrl' } })
    .expect(200);
  const fake = fakes.github as Awaited<ReturnType<typeof startGithub>>;
  fake.clear();
  fake.put(1);
  fake.put(2, { isPullRequest: true });
  const { accountId } = owner.user;
  const { count } = await runInAccount(accountId, () => readTickets(accountId, 'github', { by: 'a run' }));
  expect(count).toBe(1);
});

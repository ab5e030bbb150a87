/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { jira } from '../../../bot/connectors/jira/index.ts';
import { readTickets } from '../../../bot/engine/trackers/readTickets.ts';
import { makeTicketFile } from '../../../bot/engine/trackers/ticketFile.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { TicketReading } from '../../../models/ticketReading.ts';
import { TrackedTicket } from '../../../models/trackedTicket.ts';
import { addColleague } from '../../factories/colleague.ts';
import { connectTool, openConnector } from '../../factories/connect.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { consent, returnFromProvider } from '../../factories/thingsPlace.ts';
import { type FakeJira, startJira } from '../../fakes/jira.ts';

let server: Server;
let tracker: FakeJira;
let owner: Person;
beforeAll(async () => {
  [server, tracker] = await Promise.all([startServer(), startJira({ id: 'arc', secret: 'shh', redirectUris: [] })]);
  openConnector(jira, tracker);
});
afterAll(async () => {
  await server.stop();
  await tracker.stop();
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  owner = await signUp(server);
  tracker.issues.clear();
});
afterEach(() => {
  jest.restoreAllMocks();
  tracker.recover();
});

const inAccount = <T>(work: (accountId: number) => Promise<T>) =>
  runInAccount(owner.user.accountId, () => work(owner.user.accountId));
const SCOPE = '/api/connectors/jira/scope';
const choose = (values: Record<string, string>) => owner.browser.put(SCOPE).send({ values });
const read = (more: Partial<Parameters<typeof readTickets>[2]> = {}) =>
  inAccount((accountId) => readTickets(accountId, 'jira', { by: 'a run', ...more }));
const keys = async () =>
  (await inAccount((accountId) => TrackedTicket.find({ accountId }).lean())).map(({ key }) => key).sort();

/** Connected, with the project NRL chosen. */
async function begin() {
  expect(await connectTool(owner, 'jira')).toBe('/workspace?oauth=success&service=jira');
  await choose({ project: 'cloud-1/NRL' }).expect(200);
  tracker.asked.length = 0;
}

describe('what is read', () => {
  /** @shows GET /api/connectors/:service/scope */
  test('is chosen by the owner from the projects that the grant sees', async () => {
    await connectTool(owner, 'jira');
    const { body } = await owner.browser.get(SCOPE).expect(200);
    expect(body).toMatchObject({ service: 'jira', text: null, read: null });
    expect(body.fields.map(({ id, value }: { id: string; value: string }) => [id, value])).toEqual([
      ['project', ''],
      ['jql', ''],
    ]);
    expect(body.fields[0].options).toEqual([
      { value: 'cloud-1/NRL', label: 'NRL Norrland' },
      { value: 'cloud-1/EPS', label: 'EPS E-prescribing' },
    ]);
    const chosen = await choose({ project: 'cloud-1/NRL', jql: ' issuetype = Bug ' }).expect(200);
    expect(chosen.body.text).toBe('project NRL (issuetype = Bug)');
  });

  test.each([
    [{ project: '' }, { project: 'Choose one.' }],
    [{ project: 'cloud-1/XX' }, { project: 'This is not one of the options.' }],
    [{ project: 'cloud-1/NRL', jql: 'a = b ORDER BY key' }, { jql: expect.stringContaining('ORDER BY') }],
    [{ project: 'cloud-1/NRL', jql: 'a = 1) OR (b = 2' }, { jql: expect.stringContaining('parentheses') }],
    [{ project: 'cloud-1/NRL', jql: 'a = (1' }, { jql: expect.stringContaining('parentheses') }],
  ])('can’t be %j', async (values, fields) => {
    await connectTool(owner, 'jira');
    expect((await choose(values as Record<string, string>).expect(400)).body.fields).toEqual(fields);
  });

  /** @shows PUT /api/connectors/:service/scope */
  test('is shown to a colleague, who can’t change it, and not to another company', async () => {
    await begin();
    const colleague = await addColleague(server, owner, ['member']);
    const { body } = await colleague.browser.get(SCOPE).expect(200);
    expect(body).toMatchObject({ text: 'project NRL', fields: [{ options: null }, { options: null }] });
    await colleague.browser
      .put(SCOPE)
      .send({ values: { project: 'cloud-1/EPS' } })
      .expect(403);
    const other = await signUp(server);
    expect((await other.browser.get(SCOPE).expect(422)).body.code).toBe('not_configured');
  });

  test('is a 404 for a tool of which nothing is chosen', () =>
    owner.browser.get('/api/connectors/slack/scope').expect(404));
});

describe('tickets', () => {
  test('are read page by page with progress, and make a file of their own words', async () => {
    await begin();
    for (let at = 1; at <= 250; at += 1) tracker.put(`NRL-${at}`, { text: at === 7 ? '=cmd|x' : `Text ${at}` });
    tracker.put('EPS-1');
    const seen: [number, number | null][] = [];
    const { count, query } = await read({ onProgress: (done, total) => seen.push([done, total]) });
    expect({ count, query }).toEqual({ count: 250, query: 'project NRL' });
    expect(seen).toEqual([
      [100, 250],
      [200, 250],
      [250, 250],
    ]);
    const { fileName, bytes } = await inAccount((accountId) => makeTicketFile(accountId, 'jira', query));
    expect(fileName).toBe('Jira project NRL.csv');
    const lines = Buffer.from(bytes).toString().split('\r\n');
    expect(lines).toHaveLength(252);
    expect(lines[0]).toBe('"Issue key","Summary","Description","Issue Type","Labels","Status","Updated","URL"');
    expect(lines[1]).toMatch(
      /^"NRL-1","Issue NRL-1","Text 1","Bug","","Open","20.+","https:\/\/quillmere.atlassian.net\/browse\/NRL-1"$/,
    );
    expect(lines[7]).toContain('" =cmd|x"');
    expect(lines[10]).toMatch(/^"NRL-10"/);
    expect((await owner.browser.get(SCOPE)).body.read).toEqual({ count: 250, at: expect.any(String) });
  });

  test('are read a second time only where they changed; those that are gone are forgotten', async () => {
    await begin();
    const before = Date.now() - 60 * 60_000;
    for (let at = 1; at <= 150; at += 1) tracker.put(`NRL-${at}`, { updated: before, created: before });
    await read();
    await inAccount((accountId) =>
      TicketReading.updateOne({ accountId }, { $set: { readAt: new Date(before + 10 * 60_000) } }),
    );
    tracker.put('NRL-3', { summary: 'Changed', created: before });
    tracker.put('NRL-151');
    tracker.issues.delete('NRL-150');
    tracker.asked.length = 0;
    expect(await read()).toMatchObject({ count: 150, changed: 2 });
    expect(tracker.pages()).toHaveLength(1);
    const found = await keys();
    expect(found).toContain('NRL-151');
    expect(found).not.toContain('NRL-150');
    expect(await inAccount((accountId) => TrackedTicket.findOne({ accountId, key: 'NRL-3' }).lean())).toMatchObject({
      summary: 'Changed',
    });
  });

  test('a reading that was interrupted goes on after its last page', async () => {
    await begin();
    for (let at = 1; at <= 250; at += 1) tracker.put(`NRL-${at}`);
    const leave = new AbortController();
    const interrupted = read({ signal: leave.signal, onProgress: () => leave.abort(new Error('killed')) });
    await expect(interrupted).rejects.toThrow('killed');
    expect(await keys()).toHaveLength(100);
    tracker.asked.length = 0;
    expect(await read()).toMatchObject({ count: 250 });
    expect(tracker.pages()).toHaveLength(2);
  });

  test('a reading whose place the tracker has forgotten begins anew', async () => {
    await begin();
    for (let at = 1; at <= 150; at += 1) tracker.put(`NRL-${at}`);
    let pages = 0;
    const forget = () => {
      pages += 1;
      if (pages === 1) tracker.forgetPages();
    };
    expect(await read({ onProgress: forget })).toMatchObject({ count: 150 });
  });

  test('are read by one at a time; the same reader goes on at once, another after a minute', async () => {
    await begin();
    tracker.put('NRL-1');
    const until = new Date(Date.now() + 30_000);
    const claim = (by: string, end: Date) =>
      inAccount((accountId) =>
        TicketReading.updateOne(
          { accountId, connector: 'jira' },
          { $set: { claim: { by, until: end } } },
          { upsert: true },
        ),
      );
    await claim('another run', until);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('being read already') });
    await claim('another run', new Date(Date.now() - 1));
    expect(await read()).toMatchObject({ count: 1 });
    await claim('a run', until);
    expect(await read()).toMatchObject({ count: 1 });
  });

  test('what was read by another choice is deleted, and so is all that is held when the tool is disconnected', async () => {
    await begin();
    tracker.put('NRL-1');
    await read();
    await choose({ project: 'cloud-1/NRL' }).expect(200);
    expect(await keys()).toEqual(['NRL-1']);
    await choose({ project: 'cloud-1/EPS' }).expect(200);
    expect(await keys()).toEqual([]);
    tracker.put('EPS-1');
    await read();
    expect(await keys()).toEqual(['EPS-1']);
    await owner.browser.delete('/api/oauth/jira').expect(200);
    expect(await keys()).toEqual([]);
    await expect(read()).rejects.toMatchObject({ code: 'not_configured' });
  });

  test('nothing is read before something is chosen, and a query that Jira refuses is said', async () => {
    await connectTool(owner, 'jira');
    await expect(read()).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('Choose under'),
    });
    await choose({ project: 'cloud-1/NRL', jql: 'bogus = 1' }).expect(200);
    await expect(read()).rejects.toMatchObject({
      code: 'not_available',
      message: expect.stringContaining('Jira refused'),
    });
  });
});

describe('of the failures of a connection', () => {
  const FAILED = (error: string) => `/workspace?oauth=error&service=jira&error=${error}`;

  test('one that is denied, one whose state is not ours, and an expired code are said', async () => {
    tracker.behaviour.denies = true;
    expect(await connectTool(owner, 'jira')).toBe(FAILED('access_denied'));
    tracker.recover();
    const back = await consent(owner, 'jira');
    back.searchParams.set('state', 'x'.repeat(32));
    expect(await returnFromProvider(owner, back)).toContain('error=not_begun_here');
    tracker.behaviour.codeLifetime = 0;
    expect(await connectTool(owner, 'jira')).toBe(FAILED('connection_refused'));
  });

  test('a refresh that is refused ends the grant, and the page offers to connect it again', async () => {
    await begin();
    tracker.put('NRL-1');
    tracker.behaviour.lifetime = 1;
    await connectTool(owner, 'jira');
    tracker.revokeAll();
    await expect(read()).rejects.toMatchObject({ code: 'not_configured' });
    const { body } = await owner.browser.get('/api/oauth/status/jira').expect(200);
    expect(body).toMatchObject({ authenticated: false, error: expect.stringContaining('Connect it again') });
  });

  test('a refresh goes through, and two readers refresh once', async () => {
    await begin();
    tracker.put('NRL-1');
    tracker.behaviour.lifetime = 1;
    await connectTool(owner, 'jira');
    tracker.behaviour.lifetime = 3600;
    tracker.asked.length = 0;
    const [one] = await Promise.allSettled([read(), owner.browser.get(SCOPE)]);
    expect(one.status).toBe('fulfilled');
    expect(tracker.asked.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
  });

  test('a provider that is down is said, and what was read so far stays', async () => {
    await begin();
    for (let at = 1; at <= 150; at += 1) tracker.put(`NRL-${at}`);
    const failing = read({ onProgress: () => tracker.fail(503, 'down', 3) });
    await expect(failing).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await keys()).toHaveLength(100);
    tracker.recover();
    expect(await read()).toMatchObject({ count: 150 });
    expect(await inAccount((accountId) => ConnectorGrant.countDocuments({ accountId, revokedAt: null }))).toBe(1);
  });
});

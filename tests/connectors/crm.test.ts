/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { preparePost, readPosts } from '../../bot/engine/crm/posts.ts';
import { readCompanies, readContacts, readContactTools, readCrmTools } from '../../bot/engine/crm/readContacts.ts';
import { saveMails } from '../../bot/engine/crm/saveMails.ts';
import { runInAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { connectTool, openConnector, withAccess } from '../factories/connect.ts';
import { CRM_TOOLS, type CrmTestTool, makePerson } from '../factories/crmTools.ts';
import { hearLines } from '../factories/hearLines.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { consent, returnFromProvider } from '../factories/thingsPlace.ts';

let server: Server;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server);
});
afterAll(() => server.stop());
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const inAccount = <T>(work: (accountId: number) => Promise<T>) =>
  runInAccount(owner.user.accountId, () => work(owner.user.accountId));
const MAILS = [
  { subject: 'Rotas “made” \\ {{ quickly }}', text: 'Hello,\n\nWe make a <rota> planner.\nMay I show it?' },
  { subject: 'Following up', text: 'A few days ago I wrote to you.' },
];
const save = (key = 'k1') =>
  inAccount((accountId) => saveMails(accountId, { key, name: "O'Hara's rotas", mails: MAILS }));

describe.each(Object.entries(CRM_TOOLS))('%s', (service, openTool) => {
  let tool: CrmTestTool;
  beforeAll(async () => {
    tool = await openTool();
    openConnector(tool.plugIn, tool.fake);
  });
  afterAll(() => tool.fake.stop());
  beforeEach(() => tool.fake.clear());
  afterEach(async () => {
    tool.fake.recover();
    // 404 where the test has ended the connection.
    await owner.browser.delete(`/api/oauth/${service}`);
  });

  const scope = `/api/connectors/${service}/scope`;
  const status = async () => (await owner.browser.get(`/api/oauth/status/${service}`).expect(200)).body;
  const connect = () => connectTool(owner, service);
  const choose = async (values = tool.values) => {
    if (values) await owner.browser.put(scope).send({ values }).expect(200);
  };
  async function begin() {
    expect(await connect()).toBe(`/workspace?oauth=success&service=${service}`);
    await choose();
    tool.fake.asked.length = 0;
  }
  const put = (id: string, ...given: Parameters<typeof makePerson>) =>
    void tool.fake.records.people.set(id, makePerson(...given));
  const read = (words = '') =>
    inAccount(async (accountId) =>
      readContacts(accountId, requireRow((await readContactTools(accountId))[0] ?? null), words),
    );
  /** Uses the connection in the way that the tool has. */
  const use = () => (tool.values ? read() : inAccount(readPosts));
  const drafts = () => withAccess(owner, service, tool.readDrafts);

  test('says what is read, what is written and where it stays before it is connected; it is on then', async () => {
    const { consent: said, needs } = tool.plugIn.card;
    expect(said).toMatchObject({
      reads: expect.stringMatching(/\w{3}/),
      writes: expect.stringMatching(/^(?:drafts|nothing)/),
    });
    expect(needs).toEqual([expect.stringMatching(/_CLIENT_ID$/), expect.stringMatching(/_CLIENT_SECRET$/)]);
    expect(await status()).toMatchObject({ authenticated: false, configured: true });
    await begin();
    expect(await status()).toMatchObject({ authenticated: true, enabled: true, error: null });
    if (!tool.values) return;
    const { body } = await owner.browser.get(scope).expect(200);
    expect(body.text).toBe(tool.chosen);
    const [field] = body.fields;
    for (const values of [tool.values, tool.others])
      expect(field.options.map(({ value }: { value: string }) => value)).toContain(Object.values(values ?? {})[0]);
    await owner.browser
      .put(scope)
      .send({ values: { [field.id]: 'elsewhere' } })
      .expect(400);
  });

  test('people of what was chosen are read page by page, who opted out is marked, and words find them', async () => {
    if (!tool.values) return;
    tool.fake.records.pageSize = 2;
    put('p1', 'Jo');
    put('p2', 'Bo', { isOptedOut: true });
    put('p3', 'Al', { company: "Queen's 100% care", role: 'Chief nurse' });
    tool.fake.records.others.set('p9', makePerson('Secret'));
    await begin();
    const { rows, isAll } = await read();
    expect(isAll).toBe(true);
    expect(rows.map(({ id, name, first, isOptedOut }) => [id, name, first, isOptedOut])).toEqual([
      ['p1', 'Jo Lind', 'Jo', false],
      ['p2', 'Bo Lind', 'Bo', true],
      ['p3', 'Al Lind', 'Al', false],
    ]);
    expect(rows[2]).toMatchObject({ email: 'al@northgate.example', company: "Queen's 100% care", role: 'Chief nurse' });
    for (const words of ["queen's", '100%', 'Chief nurse'])
      expect((await read(words)).rows.map(({ id }) => id)).toEqual(['p3']);
    expect((await read('nobody')).rows).toEqual([]);
    await choose(tool.others);
    expect((await read()).rows.map(({ id }) => id)).toEqual(['p9']);
  });

  test('companies are found by words', async () => {
    tool.fake.records.companies.set('c1', { name: 'Northgate', domain: 'northgate.example', industry: 'HEALTH' });
    tool.fake.records.companies.set('c2', { name: 'Eastbridge', domain: '', industry: 'TRADE' });
    await begin();
    const found = await inAccount(async (accountId) =>
      readCompanies(accountId, requireRow((await readCrmTools(accountId))[0] ?? null), 'health'),
    );
    expect(found.rows).toEqual(
      tool.hasCompanies ? [{ id: 'c1', name: 'Northgate', domain: 'northgate.example', industry: 'HEALTH' }] : [],
    );
  });

  test('a draft is saved once, can be read back there, and nothing of it can go out by itself', async () => {
    await begin();
    const saved = await save();
    if (!tool.draftLink) {
      expect(saved).toBeNull();
      return;
    }
    expect(saved).toMatchObject({ isSaved: true, text: expect.stringMatching(tool.draftLink) });
    expect(saved?.text).toContain('not sent');
    expect(await save()).toEqual(saved);
    const words = (await drafts()).join('\n');
    for (const part of [
      "O'Hara's rotas (Arc ",
      'Rotas “made” \\',
      'We make a <rota> planner.',
      'A few days ago I wrote to you.',
    ])
      expect(words).toContain(part);
    const count = (await drafts()).length;
    // Without the link that Arc remembers, the tool itself is asked.
    await owner.browser.delete(`/api/oauth/${service}`).expect(200);
    await begin();
    expect(await save()).toEqual(saved);
    expect(await drafts()).toHaveLength(count);
    await save('k2');
    expect(await drafts()).toHaveLength(count * 2);
    expect(tool.isSendable()).toBe(false);
  });

  test('a limit is waited for, and one that lasts is said', async () => {
    await begin();
    tool.fake.records.limited = 2;
    await use();
    tool.fake.records.limited = 3;
    await expect(use()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('a consent that is denied, a state that is not ours, an expired code and a provider that is down are said', async () => {
    const failed = (error: string) => `/workspace?oauth=error&service=${service}&error=${error}`;
    tool.fake.behaviour.denies = true;
    expect(await connect()).toBe(failed('access_denied'));
    tool.fake.recover();
    const back = await consent(owner, service);
    back.searchParams.set('state', 'x'.repeat(32));
    expect(await returnFromProvider(owner, back)).toContain('error=not_begun_here');
    tool.fake.behaviour.codeLifetime = 0;
    expect(await connect()).toBe(failed('connection_refused'));
    tool.fake.recover();
    tool.fake.fail(503, 'down', 3);
    expect(await connect()).toBe(failed('temporarily_unavailable'));
    tool.fake.recover();
    await begin();
    tool.fake.fail(503, 'down', 3);
    await expect(use()).rejects.toMatchObject({ code: 'provider_unavailable' });
    tool.fake.recover();
    tool.fake.fail(503, 'down', 3);
    expect((await save())?.isSaved ?? false).toBe(false);
    tool.fake.recover();
    expect((await save())?.isSaved ?? false).toBe(tool.draftLink !== null);
  });

  test('two uses at once refresh its tokens once; a refresh that is refused ends it; no token is said anywhere', async () => {
    const lines = hearLines();
    const answers: string[] = [];
    tool.fake.asked.length = 0;
    // One token says when it expires, and another is refused without having said so.
    const isTimed = tool.fake.behaviour.lifetime !== null;
    if (isTimed && tool.refreshes) tool.fake.behaviour.lifetime = 1;
    await connect();
    tool.fake.recover();
    if (!isTimed) tool.fake.endAccess();
    await choose();
    await Promise.all([use(), use()]);
    expect(tool.fake.asked.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(
      tool.refreshes ? 1 : 0,
    );
    for (const path of ['/api/oauth/status/all', `/api/oauth/status/${service}`, scope])
      answers.push((await owner.browser.get(path)).text);
    tool.fake.revokeAll();
    answers.push(await use().then(JSON.stringify, (error: Error) => error.message));
    expect(await status()).toMatchObject({ authenticated: false, error: expect.stringContaining('Connect it again') });
    answers.push(JSON.stringify(await status()));
    expect(lines.length).toBeGreaterThan(0);
    for (const said of [...lines, ...answers])
      expect(said).not.toMatch(new RegExp(`access-|refresh-|code-|${tool.fake.client.secret}`));
  });

  test('disconnecting gives the access back there, and deletes the choice', async () => {
    await begin();
    expect((await owner.browser.delete(`/api/oauth/${service}`).expect(200)).body).toEqual({
      success: true,
      revoked: tool.revokes,
    });
    expect(await inAccount(readCrmTools)).toEqual([]);
    await connect();
    expect(await inAccount(readContactTools)).toEqual([]);
  });
});

test('posts of the connected account are read, and a new one is prepared as a link that posts nothing', async () => {
  const tool = await CRM_TOOLS.twitter();
  openConnector(tool.plugIn, tool.fake);
  expect(await inAccount(readPosts)).toBeNull();
  await connectTool(owner, 'twitter');
  expect(await inAccount(readPosts)).toEqual({ name: 'Twitter', posts: [] });
  (tool.fake as Awaited<ReturnType<typeof import('../fakes/twitter.ts').startTwitter>>).posts.push({
    id: '99',
    text: 'Rotas',
    likes: 3,
  });
  expect((await inAccount(readPosts))?.posts).toEqual([
    {
      id: '99',
      text: 'Rotas',
      at: '2026-11-20T09:00:00.000Z',
      url: 'https://x.com/quillmere/status/99',
      likes: 3,
      reposts: 1,
    },
  ]);
  expect(await inAccount((accountId) => preparePost(accountId, 'Rotas & more'))).toContain(
    'https://x.com/intent/post?text=Rotas+%26+more',
  );
  expect(await inAccount((accountId) => preparePost(accountId, 'x'.repeat(281)))).toBeNull();
  expect(tool.fake.asked.every(({ path = '' }) => !path.endsWith('/2/tweets'))).toBe(true);
  await owner.browser.delete('/api/oauth/twitter').expect(200);
  await tool.fake.stop();
});

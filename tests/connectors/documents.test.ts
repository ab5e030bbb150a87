/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { saveDraft } from '../../bot/engine/documents/sandbox.ts';
import { readDocumentText } from '../../bot/engine/documents/storedText.ts';
import { makeSyncsDue, sweepSyncs, syncDocuments } from '../../bot/engine/documents/syncDocuments.ts';
import { ConnectorScope } from '../../models/connectorScope.ts';
import { StoredFile } from '../../models/file.ts';
import { runInAccount } from '../../models/store/context.ts';
import { connectTool, openConnector } from '../factories/connect.ts';
import { DOCUMENT_TOOLS, type DocumentTool } from '../factories/documentTools.ts';
import { hearLines } from '../factories/hearLines.ts';
import { eventually, type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { consent, returnFromProvider } from '../factories/thingsPlace.ts';

let server: Server;
let owner: Person;
/** Somebody of another company, who has connected nothing. */
let other: Person;
beforeAll(async () => {
  server = await startServer();
  [owner, other] = [await signUp(server), await signUp(server)];
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
const read = () => inAccount((accountId) => StoredFile.find({ accountId, kind: 'document' }).sort({ name: 1 }).lean());
/** Reads now, after the reading that a choice has begun. */
async function sync(): Promise<void> {
  const underWay = { $or: [{ lease: { $ne: null } }, { dueAt: { $lte: new Date() } }] };
  const isOver = async () => (await ConnectorScope.countDocuments(underWay)) === 0;
  await eventually(() => inAccount(isOver), 'the end of the reading that a choice began');
  await inAccount((accountId) => syncDocuments(accountId));
}
const draft = {
  key: 'k1',
  name: 'Draft.md',
  type: 'text/markdown',
  bytes: Buffer.from('# Draft\n\nThe dose is checked.'),
  agentName: 'Clara',
};
const save = (change: Partial<typeof draft> = {}) =>
  inAccount((accountId) => saveDraft(accountId, { ...draft, ...change }));

describe.each(Object.entries(DOCUMENT_TOOLS))('%s', (service, openTool) => {
  let tool: DocumentTool;
  beforeAll(async () => {
    tool = await openTool();
    openConnector(tool.plugIn, tool.fake);
  });
  afterAll(() => tool.fake.stop());
  beforeEach(() => tool.clear());
  afterEach(async () => {
    tool.fake.recover();
    tool.setPageSize(100);
    // Deletes what was read; 404 where the test has ended the connection.
    await owner.browser.delete(`/api/oauth/${service}`);
  });

  const scope = `/api/connectors/${service}/scope`;
  const choose = (values: Record<string, string>) => owner.browser.put(scope).send({ values }).expect(200);
  const texts = async () => {
    const rows = (await read()).filter(({ originalName }) => !tool.own.includes(originalName));
    const found = await inAccount(() => Promise.all(rows.map((row) => readDocumentText(row))));
    return rows.map(({ originalName }, at) => `${originalName}: ${found[at]?.replace(/^# .*\n\n/, '').trim()}`);
  };
  const connect = () => connectTool(owner, service);
  /** Connected, and what was chosen is read. */
  async function begin() {
    expect(await connect()).toBe(`/workspace?oauth=success&service=${service}`);
    await choose(tool.values);
    await sync();
    tool.fake.asked.length = 0;
  }

  test('says what can be read and where drafts go before it is connected, and what there is to choose after', async () => {
    const { consent: said, needs } = tool.plugIn.card;
    expect(said).toMatchObject({ reads: expect.stringMatching(/\w{3}/), writes: expect.stringContaining('drafts') });
    expect(said?.stays).toContain('until you disconnect');
    expect(needs).toEqual([expect.stringMatching(/_CLIENT_ID$/), expect.stringMatching(/_CLIENT_SECRET$/)]);
    await connect();
    for (const { id } of tool.plugIn.card.tools) {
      const { body } = await owner.browser.get(`/api/oauth/status/${id}`).expect(200);
      expect(body).toMatchObject({ authenticated: true, enabled: true, configured: true });
    }
    const [field] = (await owner.browser.get(scope).expect(200)).body.fields;
    expect(field.options.map(({ label }: { label: string }) => label)).toEqual(tool.options);
    const [chosen] = Object.values(tool.values);
    expect(field.options.map(({ value }: { value: string }) => value)).toContain(chosen);
  });

  test('documents of the chosen place are read as text, page by page, with their link; those of others are not', async () => {
    tool.setPageSize(2);
    tool.put('d1', 'Safety plan', 'The dose is checked.');
    tool.put('d2', 'Notes', 'Call the ward.');
    tool.put('d3', 'Manual', 'Press the button.');
    tool.put('d4', 'Secret', 'no', 'other');
    await begin();
    expect(await texts()).toEqual([
      'Manual.md: Press the button.',
      'Notes.md: Call the ward.',
      'Safety plan.md: The dose is checked.',
    ]);
    const plan = (await read()).find(({ originalName }) => originalName === 'Safety plan.md');
    expect(plan?.source).toMatchObject({ service, url: expect.stringMatching(tool.link) });
    const { body } = await owner.browser.get('/api/documents').expect(200);
    expect(body.documents[0]).toMatchObject({ addedBy: tool.plugIn.card.name, deletable: false });
    await owner.browser.delete(`/api/documents/${plan?._id}`).expect(403);
    expect((await other.browser.get('/api/documents').expect(200)).body.documents).toEqual([]);
  });

  test('what changed is read again, what is gone is deleted, and nothing else is asked for', async () => {
    tool.put('d1', 'Plan', 'one');
    tool.put('d2', 'Notes', 'two');
    await begin();
    tool.put('d1', 'Plan', 'three');
    tool.remove('d2');
    await inAccount(makeSyncsDue);
    await sweepSyncs();
    expect(await texts()).toEqual(['Plan.md: three']);
    tool.fake.asked.length = 0;
    await sync();
    expect(tool.fake.asked.filter(({ path = '' }) => path !== tool.listing && !path.endsWith('/d2'))).toEqual([]);
    expect(tool.fake.asked.length).toBeGreaterThan(0);
  });

  test('a document that can’t be read keeps its copy, and keeps the others from nothing', async () => {
    tool.put('d1', 'Plan', 'one');
    await begin();
    tool.put('d1', 'Plan', 'two');
    tool.put('d2', 'Notes', 'three');
    tool.fake.failAfter(tool.listing, 404);
    await sync();
    expect((await texts()).length).toBeGreaterThan(0);
    expect(await texts()).not.toEqual(['Notes.md: three', 'Plan.md: two']);
    await sync();
    expect(await texts()).toEqual(['Notes.md: three', 'Plan.md: two']);
  });

  test('choosing reads without being asked', async () => {
    tool.put('d1', 'Plan', 'one');
    await connect();
    await choose(tool.values);
    await eventually(async () => (await texts()).length === 1, 'what was chosen to be read');
  });

  test('a draft is saved there once, with its link; the sandbox takes none then', async () => {
    await begin();
    const place = await save();
    expect(place).toMatch(/^A copy is in /);
    expect(place).toMatch(tool.draftLink);
    expect(await save()).toBe(place);
    expect(await save({ key: 'k2' })).not.toBe(place);
    await sync();
    const found = (await texts()).filter((line) => line.startsWith('Draft'));
    expect(found).toHaveLength(tool.listsDrafts ? 2 : 0);
    for (const line of found) expect(line).toContain('The dose is checked.');
    expect((await owner.browser.get('/api/oauth/status/all')).body).not.toHaveProperty('sandbox');
    // Somebody who has connected nothing keeps the sandbox workspace.
    const keeper = await signUp(server);
    expect((await keeper.browser.get('/api/oauth/status/all')).body.sandbox).toMatchObject({ enabled: true });
    const kept = await runInAccount(keeper.user.accountId, () => saveDraft(keeper.user.accountId, draft));
    expect(kept).toBe('A copy is in the sandbox workspace.');
  });

  test('another choice, or disconnecting, deletes what was read; the grant is revoked there', async () => {
    tool.put('d1', 'Plan', 'one');
    tool.put('d2', 'Letters', 'two', 'other');
    await begin();
    await choose(tool.others);
    await sync();
    expect(await texts()).toEqual(expect.arrayContaining(['Letters.md: two']));
    expect(await texts()).not.toContain('Plan.md: one');
    expect((await owner.browser.delete(`/api/oauth/${service}`).expect(200)).body).toEqual({
      success: true,
      revoked: tool.revokes,
    });
    expect(await read()).toEqual([]);
  });

  test('a provider that is down keeps what was read, and a draft is kept in Arc alone', async () => {
    tool.put('d1', 'Plan', 'one');
    await begin();
    tool.fake.fail(503, 'down', 3);
    await sync();
    expect(await texts()).toEqual(['Plan.md: one']);
    tool.fake.fail(503, 'down', 3);
    expect(await save()).toBeNull();
    tool.fake.recover();
    expect(await save()).toMatch(tool.draftLink);
  });

  test('a consent that is denied, a state that is not ours, an expired code and a refused refresh are said', async () => {
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
    tool.fake.behaviour.lifetime = 1;
    await connect();
    tool.fake.revokeAll();
    await sync();
    const { body } = await owner.browser.get(`/api/oauth/status/${service}`).expect(200);
    expect(body).toMatchObject({ authenticated: false, error: expect.stringContaining('Connect it again') });
  });

  test('is refreshed once, and its tokens are in no answer and no line of the log', async () => {
    const lines = hearLines();
    tool.put('d1', 'Plan', 'one');
    tool.fake.behaviour.lifetime = 1;
    const answers: string[] = [await connect()];
    tool.fake.recover();
    await choose(tool.values);
    await sync();
    expect(tool.fake.asked.filter(({ path }) => path?.includes('token')).length).toBeGreaterThan(1);
    expect(await texts()).toEqual(['Plan.md: one']);
    for (const path of ['/api/oauth/status/all', `/api/oauth/status/${service}`, scope, '/api/documents'])
      answers.push((await owner.browser.get(path)).text);
    tool.fake.revokeAll();
    await sync();
    answers.push((await owner.browser.get(`/api/oauth/status/${service}`)).text);
    expect(lines.length).toBeGreaterThan(0);
    for (const said of [...lines, ...answers])
      expect(said).not.toMatch(new RegExp(`access-|refresh-|code-|${tool.fake.client.secret}`));
  });
});

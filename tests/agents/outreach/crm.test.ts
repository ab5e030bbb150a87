/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { readCsv } from '../../../bot/agents/outreach/list/readCsv.ts';
import { keepOptOuts, readOptOuts } from '../../../bot/agents/outreach/optOuts/keepOptOuts.ts';
import { sharedMails } from '../../../bot/agents/outreach/workflows/saveTexts.ts';
import { thinkWorkflow } from '../../../bot/agents/outreach/workflows/think.ts';
import { makeCrmTools } from '../../../bot/engine/crm/tools.ts';
import type { ToolContext } from '../../../bot/engine/thinking/tool.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { StoredFile } from '../../../models/file.ts';
import { readFileBytes } from '../../../models/files.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTool, openConnector } from '../../factories/connect.ts';
import { CRM_TOOLS, makePerson } from '../../factories/crmTools.ts';
import { hireOnboarded } from '../../factories/hireOnboarded.ts';
import { eventually, type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import type { startHubspot } from '../../fakes/hubspot.ts';

type Owner = Person & { agent: { id: number } };
let server: Server;
let fake: Awaited<ReturnType<typeof startHubspot>>;
let owner: Owner;
beforeAll(async () => {
  server = await startServer();
  const tool = await CRM_TOOLS.hubspot();
  fake = tool.fake as typeof fake;
  openConnector(tool.plugIn, fake);
});
afterAll(async () => {
  await server.stop();
  await fake.stop();
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  fake.clear();
  owner = await hireOnboarded(await signUp(server), 'outreach', []);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const inAccount = <T>(work: (accountId: number) => Promise<T>) =>
  runInAccount(owner.user.accountId, () => work(owner.user.accountId));
const TEXTS = 'Offer: We make a rota planner.\nAsk: May I show it?\nFrom: Ada Okafor';
const say = (message: string) => owner.browser.post('/api/arc-chat/send').send({ message }).expect(200);
const said = async () => JSON.stringify((await owner.browser.get('/api/arc-chat/history?limit=50')).body.messages);
const asked = (step: string) =>
  eventually(
    async () =>
      ((await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body as Interrupt[]).find(
        (one) => one.status === 'pending' && one.context.step === step,
      ),
    `the question about the ${step}`,
  );
/** The drafts of a review. */
const rowsOf = ({ view }: Interrupt) => view.rows?.rows ?? [];
async function begin(people = '7/Trusts') {
  await connectTool(owner, 'hubspot');
  await owner.browser.put('/api/connectors/hubspot/scope').send({ values: { people } }).expect(200);
}
const put = (id: string, ...given: Parameters<typeof makePerson>) =>
  void fake.records.people.set(id, makePerson(...given));

describe('outreach from a CRM', () => {
  test('drafts to its people, keeps its opt-outs for good, and saves the texts there without anybody’s name', async () => {
    put('p1', 'Jo');
    put('p2', 'Bo', { isOptedOut: true });
    put('p3', 'Al', { company: 'Eastbridge' });
    await begin();
    await say(`Draft outreach from our CRM\n${TEXTS}`);
    const review = await asked('drafts');
    const rows = rowsOf(review);
    expect(rows.map(({ values }) => values?.to)).toEqual([
      'Jo Lind, Northgate, jo@northgate.example',
      'Al Lind, Eastbridge, al@northgate.example',
    ]);
    expect(await inAccount(readOptOuts)).toEqual([{ kind: 'person', value: 'bo@northgate.example' }]);
    expect(fake.emails).toEqual([]);
    await owner.browser
      .patch(`/api/interrupts/${review.id}/resolve`)
      .send({
        userResponse: {
          rows: [
            { id: rows[0]?.id, outcome: 'accepted' },
            { id: rows[1]?.id, outcome: 'rejected' },
          ],
        },
      })
      .expect(200);
    await eventually(async () => (await said()).includes('Saved in HubSpot as draft marketing e-mails'), 'the drafts');
    expect(await said()).toContain('Nothing was sent.');
    expect(fake.emails.map(({ state, subject }) => [state, subject])).toEqual([
      ['DRAFT', 'We make a rota planner'],
      ['DRAFT', 'Following up: We make a rota planner'],
      ['DRAFT', 'Following up: We make a rota planner'],
    ]);
    expect(JSON.stringify(fake.emails)).not.toMatch(/Jo\b|Bo\b|Al\b|@northgate|Northgate|Eastbridge/);
    const [csv] = await inAccount(() => StoredFile.find({ kind: 'export', type: 'text/csv' }).lean());
    const table = readCsv(String(await inAccount(() => readFileBytes(requireRow(csv ?? null)))));
    expect(table.slice(1).map(([address]) => address)).toEqual(Array(3).fill('jo@northgate.example'));
  });

  test('asks for words of a company, says that nobody was found, and names what is connected where it can’t tell', async () => {
    put('p1', 'Jo');
    put('p2', 'Al', { company: 'Eastbridge' });
    await begin();
    await say(`Draft outreach from HubSpot for “eastbridge”\n${TEXTS}`);
    const review = await asked('drafts');
    expect(rowsOf(review).map(({ group }) => group)).toEqual(['Eastbridge']);
    await say(`Draft outreach from HubSpot for “nobody”\n${TEXTS}`);
    await eventually(async () => (await said()).includes('has nobody with “nobody”'), 'the refusal');
    fake.fail(503, 'down', 3);
    await say(`Draft outreach from HubSpot\n${TEXTS}`);
    await eventually(async () => (await said()).match(/HubSpot[^"]*Nothing was drafted\./), 'the second refusal');
  });

  test('without a CRM asks for a list, and keeps the texts in the sandbox workspace', async () => {
    await say(`Draft outreach\n${TEXTS}`);
    await asked('list');
    await say(`Draft outreach from this\n${TEXTS}\nName,Email\nJo Lind,jo@a.example`);
    const review = await asked('drafts');
    const [row] = rowsOf(review);
    await owner.browser
      .patch(`/api/interrupts/${review.id}/resolve`)
      .send({ userResponse: { rows: [{ id: row?.id, outcome: 'accepted' }] } })
      .expect(200);
    await eventually(async () => (await said()).includes('A copy is in the sandbox workspace.'), 'the copy');
    const names = await inAccount(() => StoredFile.find({ kind: 'document' }).lean());
    expect(names.map(({ name }) => name)).toContain('We make a rota planner, mails.md');
  });
});

test('the shared mails hold the person’s words and the way to opt out, and no greeting by name', () => {
  const mails = sharedMails({ offer: 'We plan.', ask: 'May I?', from: 'Ada' });
  expect(mails.map(({ subject }) => subject)).toEqual(['We plan', 'Following up: We plan', 'Following up: We plan']);
  for (const { text } of mails) expect(text).toMatch(/^Hello,[\s\S]*reply “stop”/);
});

describe('the tools of thinking', () => {
  const context = (key = 'k'): ToolContext => ({
    ...{ accountId: owner.user.accountId, userAgentId: owner.agent.id, conversationId: null, userId: owner.user.id },
    ...{ signal: new AbortController().signal, key, runId: new Types.ObjectId() },
  });
  const tools = makeCrmTools({
    readOptOutCheck: async (accountId) => {
      const known = new Set((await readOptOuts(accountId)).map(({ value }) => value));
      return (address) => known.has(address);
    },
  });
  const use = (name: string, input: object) =>
    inAccount(() => requireRow(tools.find((tool) => tool.name === name) ?? null).run(input, context()));

  test('read contacts without addresses, and only count who opted out there or in Arc', async () => {
    put('p1', 'Jo');
    put('p2', 'Bo', { isOptedOut: true });
    put('p3', 'Al');
    fake.records.companies.set('c1', { name: 'Northgate', domain: 'northgate.example', industry: 'HEALTH' });
    await begin();
    await inAccount((accountId) => keepOptOuts(accountId, [{ kind: 'person', value: 'al@northgate.example' }]));
    const { text, outside, isOfCompany } = await use('find_contacts', { words: 'northgate' });
    expect(text).toBe(
      'HubSpot: 1 contact to write to, 2 others opted out or without an address.\n• Jo Lind, Ward manager, Northgate, HubSpot',
    );
    // What a tool gives is what the model's prompt gets.
    expect(text).not.toMatch(/access-|refresh-|shh-1|@/);
    expect([outside, isOfCompany]).toEqual([['Jo Lind, Ward manager, Northgate, HubSpot'], true]);
    expect((await use('find_companies', { words: '' })).text).toContain('1 company found.\n• Northgate');
    expect(await use('list_posts', {})).toMatchObject({ isOk: false });
  });

  test('write nothing but a draft, which a person approves first', async () => {
    expect(tools.map(({ name, effect }) => [name, effect])).toEqual([
      ['find_contacts', 'reads'],
      ['find_companies', 'reads'],
      ['list_posts', 'reads'],
      ['save_mail_draft', 'writes'],
    ]);
    const mail = { subject: 'Rotas', text: 'Hello,' };
    expect(await use('save_mail_draft', mail)).toMatchObject({ isOk: false });
    await begin();
    for (const _again of [1, 2]) expect(await use('save_mail_draft', mail)).toMatchObject({ isOk: true });
    expect(fake.emails).toMatchObject([{ subject: 'Rotas', state: 'DRAFT' }]);
    expect(thinkWorkflow.steps.apply).toBeDefined();
  });

  test('are asked of a connected tool alone', async () => {
    expect(await use('find_contacts', { words: '' })).toMatchObject({ isOk: false });
    expect(await use('find_companies', { words: '' })).toMatchObject({ isOk: false });
  });
});

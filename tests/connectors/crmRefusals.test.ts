/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { findColumns, toContact } from '../../bot/connectors/airtable/contacts.ts';
import { airtable } from '../../bot/connectors/airtable/index.ts';
import { hubspot } from '../../bot/connectors/hubspot/index.ts';
import { originOf } from '../../bot/connectors/mailchimp/api.ts';
import { mailchimp } from '../../bot/connectors/mailchimp/index.ts';
import { likeText, readInstance } from '../../bot/connectors/salesforce/api.ts';
import { salesforce } from '../../bot/connectors/salesforce/index.ts';
import { makeClient } from '../../bot/engine/connectors/client.ts';
import { readContacts, readContactTools } from '../../bot/engine/crm/readContacts.ts';
import { saveMails } from '../../bot/engine/crm/saveMails.ts';
import { ConnectorGrant } from '../../models/connectorGrant.ts';
import { runInAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { connectTool, openConnector } from '../factories/connect.ts';
import { makePerson } from '../factories/crmTools.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { startAirtable } from '../fakes/airtable.ts';
import { startHubspot } from '../fakes/hubspot.ts';
import { startMailchimp } from '../fakes/mailchimp.ts';
import { startSalesforce } from '../fakes/salesforce.ts';

const client = () => ({ id: 'arc', secret: 'shh', redirectUris: [] as string[] });
let server: Server;
let owner: Person;
let fakes: {
  salesforce: Awaited<ReturnType<typeof startSalesforce>>;
  hubspot: Awaited<ReturnType<typeof startHubspot>>;
  mailchimp: Awaited<ReturnType<typeof startMailchimp>>;
  airtable: Awaited<ReturnType<typeof startAirtable>>;
};
beforeAll(async () => {
  server = await startServer();
  fakes = {
    salesforce: await startSalesforce(client()),
    hubspot: await startHubspot(client()),
    mailchimp: await startMailchimp(client()),
    airtable: await startAirtable(client()),
  };
  for (const plugIn of [salesforce, hubspot, mailchimp, airtable])
    openConnector(plugIn, fakes[plugIn.card.id as keyof typeof fakes]);
});
afterAll(async () => {
  await server.stop();
  await Promise.all(Object.values(fakes).map((fake) => fake.stop()));
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  owner = await signUp(server);
  for (const fake of Object.values(fakes)) fake.clear();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const inAccount = <T>(work: (accountId: number) => Promise<T>) =>
  runInAccount(owner.user.accountId, () => work(owner.user.accountId));
const read = () =>
  inAccount(async (accountId) =>
    readContacts(accountId, requireRow((await readContactTools(accountId))[0] ?? null), ''),
  );
const save = () =>
  inAccount((accountId) =>
    saveMails(accountId, { key: 'k', name: 'Rotas', mails: [{ subject: 'Rotas', text: 'Hello,' }] }),
  );
async function begin(service: string, values: Record<string, string>) {
  expect(await connectTool(owner, service)).toContain('oauth=success');
  await owner.browser.put(`/api/connectors/${service}/scope`).send({ values }).expect(200);
}

describe('Salesforce', () => {
  test.each([
    'http://quillmere.my.salesforce.com',
    'https://169.254.169.254',
    'https://salesforce.com.example',
    'https://evilsalesforce.com',
    'https://quillmere.my.salesforce.com:8443',
    'https://user@example.com/.salesforce.com',
    '',
  ])('an instance at “%s” is refused before anything is sent there', async (instance) => {
    expect(() => readInstance(instance)).toThrow('the instance is not one of Salesforce');
    fakes.salesforce.state.instance = instance;
    expect(await connectTool(owner, 'salesforce')).toContain('error=connection_refused');
    expect(await inAccount(() => ConnectorGrant.countDocuments({}))).toBe(0);
    expect(fakes.salesforce.asked.filter(({ path }) => path?.startsWith('/services/data'))).toEqual([]);
  });

  test('its token goes to its own hosts alone', async () => {
    const asked: string[] = [];
    const call = (address: string) => {
      asked.push(address);
      return Promise.resolve(new Response('{}'));
    };
    const settings = () => ({ clientId: 'arc', clientSecret: 'shh', baseUrl: '' });
    const send = makeClient({ ...salesforce, settings }, call).sendWith('t');
    await send('https://quillmere.my.salesforce.com/services/data');
    await expect(send('https://salesforce.com.example/services/data')).rejects.toMatchObject({ kind: 'refused' });
    expect(asked).toEqual(['https://quillmere.my.salesforce.com/services/data']);
  });

  test('people are not read without knowing who opted out, and a daily limit is no refusal', async () => {
    await begin('salesforce', { people: 'Lead' });
    fakes.salesforce.records.others.set('l1', makePerson('Jo', { company: 'Eastbridge' }));
    expect((await read()).rows).toMatchObject([{ id: 'l1', company: 'Eastbridge' }]);
    fakes.salesforce.state.seesOptOuts = false;
    await expect(read()).rejects.toMatchObject({ code: 'not_available' });
    fakes.salesforce.state.isOverLimit = true;
    await expect(read()).rejects.toMatchObject({ code: 'provider_unavailable' });
    fakes.salesforce.state.isOverLimit = false;
  });

  test('signs of its query language stand for themselves', () =>
    expect(likeText("a'b%c_d\\")).toBe("%a\\'b\\%c\\_d\\\\%"));
});

test('HubSpot without marketing e-mails keeps a draft in Arc alone, and says so', async () => {
  await begin('hubspot', { people: 'all' });
  fakes.hubspot.state.hasEmails = false;
  expect(await save()).toEqual({ isSaved: false, text: expect.stringContaining('It is in Arc alone') });
});

describe('Mailchimp', () => {
  test.each(['', 'us21.evil.example/', 'localhost', '127'])('“%s” is no data centre', async (dataCentre) => {
    expect(() => originOf(dataCentre)).toThrow('there is no such data centre');
    fakes.mailchimp.state.dataCentre = dataCentre;
    expect(await connectTool(owner, 'mailchimp')).toContain('error=connection_refused');
  });

  test('who is neither subscribed nor unsubscribed is in no list', async () => {
    await begin('mailchimp', { audience: 'a1/Trusts' });
    for (const [at, status] of [
      'subscribed',
      'unsubscribed',
      'pending',
      'cleaned',
      'transactional',
      'archived',
    ].entries()) {
      fakes.mailchimp.records.people.set(`m${at}`, makePerson(`Jo${at}`));
      fakes.mailchimp.statuses.set(`m${at}`, status);
    }
    expect((await read()).rows.map(({ id, isOptedOut }) => [id, isOptedOut])).toEqual([
      ['m0', false],
      ['m1', true],
    ]);
  });

  test('a draft that a failure left without text is completed, and what a person wrote in it stays', async () => {
    await begin('mailchimp', { audience: 'a1/Trusts' });
    fakes.mailchimp.state.refusesContent = true;
    expect(await save()).toMatchObject({ isSaved: false });
    fakes.mailchimp.state.refusesContent = false;
    expect(await save()).toMatchObject({ isSaved: true });
    expect(fakes.mailchimp.campaigns).toMatchObject([{ plain_text: 'Hello,', html: '<p>Hello,</p>' }]);
    Object.assign(fakes.mailchimp.campaigns[0] ?? {}, { plain_text: 'Hello Jo,' });
    await owner.browser.delete('/api/oauth/mailchimp').expect(200);
    await begin('mailchimp', { audience: 'a1/Trusts' });
    await save();
    expect(fakes.mailchimp.campaigns).toMatchObject([{ plain_text: 'Hello Jo,' }]);
  });
});

describe('Airtable', () => {
  const people = 'app1.tblPeople/Sales: People';
  const drafts = 'app1.tblDrafts/Sales: Drafts';

  test('drafts need a table that was chosen for them, with a column of long text', async () => {
    await begin('airtable', { people });
    expect(await save()).toBeNull();
    await begin('airtable', { people, drafts });
    fakes.airtable.state.hasLongText = false;
    expect(await save()).toMatchObject({ isSaved: false });
    expect(fakes.airtable.drafts).toEqual([]);
  });

  test('a table without addresses is refused', async () => {
    await begin('airtable', { people });
    fakes.airtable.state.hasEmail = false;
    await expect(read()).rejects.toMatchObject({ code: 'not_available' });
  });

  const field = (name: string, type = 'singleLineText') => ({ id: name, name, type });
  test.each([
    [{ 'Do not contact': true }, true],
    [{ 'Do not contact': 'no' }, false],
    [{ Status: 'Unsubscribed' }, true],
    [{ Tags: ['Nurse', 'opted out'] }, true],
    [{ 'Marketing consent': true }, false],
    [{}, true],
  ])('%j: opted out is %s', (fields, isOptedOut) => {
    const isConsent = Object.keys(fields).length === 0 || 'Marketing consent' in fields;
    const columns = findColumns({
      fields: [field('Do not contact'), ...(isConsent ? [field('Marketing consent')] : [])],
    });
    expect(toContact({ id: 'r', fields }, columns).isOptedOut).toBe(isOptedOut);
  });
});

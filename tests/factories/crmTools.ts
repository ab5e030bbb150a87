import { airtable } from '../../bot/connectors/airtable/index.ts';
import { hubspot } from '../../bot/connectors/hubspot/index.ts';
import { mailchimp } from '../../bot/connectors/mailchimp/index.ts';
import { salesforce } from '../../bot/connectors/salesforce/index.ts';
import { twitter } from '../../bot/connectors/twitter/index.ts';
import type { Access, ConnectorPlugIn } from '../../bot/engine/connectors/connector.ts';
import { readJson } from '../../bot/engine/connectors/requests.ts';
import { startAirtable } from '../fakes/airtable.ts';
import type { FakePerson, makeRecords } from '../fakes/crmRecords.ts';
import { startHubspot } from '../fakes/hubspot.ts';
import { startMailchimp } from '../fakes/mailchimp.ts';
import type { FakeProvider } from '../fakes/provider.ts';
import { startSalesforce } from '../fakes/salesforce.ts';
import { startTwitter } from '../fakes/twitter.ts';

/** A tool of customer relations and its provider, with the words that all tests of such tools use. */
export type CrmTestTool = {
  plugIn: ConnectorPlugIn;
  fake: FakeProvider & { records: ReturnType<typeof makeRecords>; clear(): void };
  /** What is chosen, and another choice; null where there is nothing to choose. */
  values: Record<string, string> | null;
  others: Record<string, string> | null;
  /** What the choice is called. */
  chosen: string;
  hasCompanies: boolean;
  /** The link to a saved draft; null where the tool takes none. */
  draftLink: RegExp | null;
  /** Reads the saved drafts back from the tool's own API: all their words as one text for each record. */
  readDrafts(access: Access): Promise<string[]>;
  /** Whether anything there could be sent without a person: a recipient, a schedule, a publication. */
  isSendable(): boolean;
  /** Whether its tokens are renewed, and whether its access can be given back there. */
  refreshes: boolean;
  revokes: boolean;
};

/** An id and a secret with signs that a provider must get as they are. */
const client = () => ({ id: 'arc-app', secret: 'shh-1', redirectUris: [] as string[] });

/** A person of a tool. */
export const makePerson = (first: string, change: Partial<FakePerson> = {}): FakePerson => ({
  ...{ first, last: 'Lind', email: `${first.toLowerCase()}@northgate.example`, company: 'Northgate' },
  ...{ role: 'Ward manager', isOptedOut: false },
  ...change,
});

async function openSalesforce(): Promise<CrmTestTool> {
  const fake = await startSalesforce(client());
  return {
    ...{ plugIn: salesforce, fake, values: { people: 'Contact' }, others: { people: 'Lead' }, chosen: 'contacts' },
    ...{ hasCompanies: true, refreshes: true, revokes: true },
    draftLink: /https:\/\/quillmere\.my\.salesforce\.com\/lightning\/r\/Campaign\/701-1\/view/,
    async readDrafts(access) {
      const found: string[] = [];
      for (const { Name } of fake.campaigns) {
        const q = `SELECT Id, Name, Description FROM Campaign WHERE Name = '${Name.replaceAll("'", "\\'")}'`;
        const { records } = await readJson<{ records: { Name: string; Description: string }[] }>(
          access,
          `${access.place.origin}/services/data/v62.0/query?${new URLSearchParams({ q })}`,
        );
        found.push(...records.map((one) => `${one.Name}\n${one.Description}`));
      }
      return found;
    },
    isSendable: () => fake.campaigns.some(({ Status, IsActive }) => Status !== 'Planned' || IsActive),
  };
}

async function openHubspot(): Promise<CrmTestTool> {
  const fake = await startHubspot(client());
  return {
    ...{ plugIn: hubspot, fake, values: { people: '7/Trusts' }, others: { people: '8/Private' } },
    ...{ chosen: 'the list Trusts', hasCompanies: true, refreshes: true, revokes: true },
    draftLink: /https:\/\/app\.hubspot\.com\/email\/62515\/edit\/501\/content/,
    async readDrafts(access) {
      type Email = { name: string; subject: string; content: { plainTextVersion: string } };
      const { results } = await readJson<{ results: Email[] }>(
        access,
        'https://api.hubapi.com/marketing/v3/emails?isPublished=false',
      );
      return results
        .map(({ name, subject, content }) => [name, subject, content.plainTextVersion].join('\n'))
        .reverse();
    },
    isSendable: () => fake.emails.some((email) => email.state !== 'DRAFT' || 'to' in email),
  };
}

async function openMailchimp(): Promise<CrmTestTool> {
  const fake = await startMailchimp(client());
  return {
    ...{ plugIn: mailchimp, fake, values: { audience: 'a1/Trusts' }, others: { audience: 'a2/Private' } },
    ...{ chosen: 'the audience Trusts', hasCompanies: false, refreshes: false, revokes: false },
    draftLink: /https:\/\/us21\.admin\.mailchimp\.com\/campaigns\/edit\?id=901/,
    async readDrafts(access) {
      const at = `${access.place.origin}/3.0/campaigns`;
      const { campaigns } = await readJson<{
        campaigns: { id: string; settings: { title: string; subject_line: string } }[];
      }>(access, `${at}?status=save&count=10&offset=0`);
      const texts = campaigns.map(async ({ id, settings }) => {
        const { plain_text } = await readJson<{ plain_text: string }>(access, `${at}/${id}/content`);
        return [settings.title, settings.subject_line, plain_text].join('\n');
      });
      return (await Promise.all(texts)).reverse();
    },
    isSendable: () => fake.campaigns.some(({ status, recipients }) => status !== 'save' || recipients !== undefined),
  };
}

async function openAirtable(): Promise<CrmTestTool> {
  const fake = await startAirtable(client());
  const drafts = 'app1.tblDrafts/Sales: Drafts';
  return {
    ...{ plugIn: airtable, fake, hasCompanies: false, refreshes: true, revokes: true },
    values: { people: 'app1.tblPeople/Sales: People', drafts },
    others: { people: 'app2.tblPeople/Private: Friends', drafts },
    chosen: 'the table Sales: People, drafts in Sales: Drafts',
    draftLink: /https:\/\/airtable\.com\/app1\/tblDrafts\/rec1/,
    async readDrafts(access) {
      const found: string[] = [];
      for (const { fields } of fake.drafts) {
        const formula = new URLSearchParams({ filterByFormula: `{Title}="${fields.Title}"` });
        const { records } = await readJson<{ records: { fields: Record<string, string> }[] }>(
          access,
          `https://api.airtable.com/v0/app1/tblDrafts?${formula}`,
        );
        found.push(...records.map((one) => `${one.fields.Title}\n${one.fields.Text}`));
      }
      return found;
    },
    isSendable: () => false,
  };
}

async function openTwitter(): Promise<CrmTestTool> {
  const fake = await startTwitter(client());
  return {
    ...{ plugIn: twitter, fake, values: null, others: null, chosen: '', hasCompanies: false },
    ...{ refreshes: true, revokes: true, draftLink: null, readDrafts: () => Promise.resolve([]) },
    isSendable: () => false,
  };
}

/** Every tool of customer relations and outreach. */
export const CRM_TOOLS = {
  salesforce: openSalesforce,
  hubspot: openHubspot,
  airtable: openAirtable,
  mailchimp: openMailchimp,
  twitter: openTwitter,
};

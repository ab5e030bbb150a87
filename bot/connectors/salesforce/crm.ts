import type { ScopeDeclaration } from '../../engine/connectors/connector.ts';
import type { CrmCompany, CrmContact, CrmSource } from '../../engine/connectors/crmSource.ts';
import { draftText, nameOfDraft } from '../../engine/connectors/draftParts.ts';
import { create, instanceOf, likeText, query, quoted } from './api.ts';

/** Characters of a campaign's description. */
const MAX_DESCRIPTION = 32_000;

type Person = {
  Id: string;
  Name: string | null;
  FirstName: string | null;
  Email: string | null;
  Title: string | null;
  /** Of a contact. */
  Account?: { Name: string | null } | null;
  /** Of a lead. */
  Company?: string | null;
  HasOptedOutOfEmail: boolean;
};
type Account = { Id: string; Name: string; Website: string | null; Industry: string | null };

/**
 * The kinds of people that can be chosen. A query with `HasOptedOutOfEmail` is refused where the connection may not see
 * that field, so people are never read without it.
 */
const PEOPLE = {
  Contact: { label: 'Contacts', company: 'Account.Name', where: '' },
  Lead: { label: 'Leads', company: 'Company', where: 'IsConverted = false' },
} as const;
type Kind = keyof typeof PEOPLE;
const isKind = (value: string): value is Kind => Object.hasOwn(PEOPLE, value);
const kindOf = (value = ''): Kind => (isKind(value) ? value : 'Contact');

const where = (...conditions: string[]) => {
  const given = conditions.filter(Boolean);
  return given.length > 0 ? ` WHERE ${given.map((one) => `(${one})`).join(' AND ')}` : '';
};
const anyLike = (fields: readonly string[], words: string) =>
  words === '' ? '' : fields.map((field) => `${field} LIKE '${likeText(words)}'`).join(' OR ');

const toContact = ({
  Id,
  Name,
  FirstName,
  Email,
  Title,
  Account,
  Company,
  HasOptedOutOfEmail,
}: Person): CrmContact => ({
  ...{ id: Id, name: Name ?? '', first: FirstName ?? '', email: Email ?? '', role: Title ?? '' },
  ...{ company: Account?.Name ?? Company ?? '', isOptedOut: HasOptedOutOfEmail },
});
const toCompany = ({ Id, Name, Website, Industry }: Account): CrmCompany => ({
  ...{ id: Id, name: Name, domain: Website ?? '', industry: Industry ?? '' },
});

/** Contacts or leads, accounts, and campaigns that are planned. */
export const crm: CrmSource = {
  async listContacts(access, { people }, { words, cursor }) {
    const kind = kindOf(people);
    const { company, where: own } = PEOPLE[kind];
    const soql = `SELECT Id, Name, FirstName, Email, Title, ${company}, HasOptedOutOfEmail FROM ${kind}${where(own, anyLike(['Name', company, 'Title'], words))} ORDER BY Id`;
    const { records, nextRecordsUrl = null } = await query<Person>(instanceOf(access), soql, cursor);
    return { rows: records.map(toContact), next: nextRecordsUrl };
  },

  async listCompanies(access, _values, { words, cursor }) {
    const soql = `SELECT Id, Name, Website, Industry FROM Account${where(anyLike(['Name', 'Industry'], words))} ORDER BY Id`;
    const { records, nextRecordsUrl = null } = await query<Account>(instanceOf(access), soql, cursor);
    return { rows: records.map(toCompany), next: nextRecordsUrl };
  },

  mails: {
    noun: 'a campaign that is planned, without members',
    async save(access, _values, draft) {
      const instance = instanceOf(access);
      const name = nameOfDraft(draft);
      const { records } = await query<{ Id: string }>(
        instance,
        `SELECT Id FROM Campaign WHERE Name = '${quoted(name)}' ORDER BY Id LIMIT 1`,
      );
      const fields = { Name: name, Status: 'Planned', IsActive: false };
      const id =
        records[0]?.Id ??
        (await create(instance, 'Campaign', {
          ...fields,
          Description: draftText(draft).slice(0, MAX_DESCRIPTION).toWellFormed(),
        }));
      return `${instance.origin}/lightning/r/Campaign/${encodeURIComponent(id)}/view`;
    },
  },
};

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'people',
      label: 'People',
      hint: 'Leads that were converted are left out: they are contacts.',
      kind: 'choice',
      required: true,
    },
  ],
  readOptions: () =>
    Promise.resolve({ people: Object.entries(PEOPLE).map(([value, { label }]) => ({ value, label })) }),
  describe: ({ people }) => PEOPLE[kindOf(people)].label.toLowerCase(),
};

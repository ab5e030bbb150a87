import type { Access, ScopeValues } from '../../engine/connectors/access.ts';
import type { CrmCompany, CrmContact, CrmFrom, CrmPage } from '../../engine/connectors/crmSource.ts';
import { readOption } from '../../engine/connectors/places.ts';
import { asJson, readJson } from '../../engine/connectors/requests.ts';

export const API = 'https://api.hubapi.com';
/** The choice of all contacts instead of a list. */
export const ALL = 'all';
/** Rows of a page; also the most that one batch may ask for. */
const PAGE = 100;
const CONTACT = ['email', 'firstname', 'lastname', 'company', 'jobtitle', 'hs_email_optout'];
const COMPANY = ['name', 'domain', 'industry'];

type Properties = Record<string, string | null | undefined>;
type Listed<T> = { results: T[]; paging?: { next?: { after: string } } };
type Row = { id: string; properties: Properties };

const toContact = ({ id, properties }: Row): CrmContact => {
  const value = (name: string) => properties[name] ?? '';
  return {
    ...{ id, first: value('firstname'), email: value('email'), company: value('company'), role: value('jobtitle') },
    name: [value('firstname'), value('lastname')].filter(Boolean).join(' '),
    isOptedOut: value('hs_email_optout') === 'true',
  };
};
const toCompany = ({ id, properties }: Row): CrmCompany => ({
  ...{ id, name: properties.name ?? '', domain: properties.domain ?? '', industry: properties.industry ?? '' },
});

const nextOf = ({ paging }: Listed<unknown>) => paging?.next?.after ?? null;

/** A page of records of one kind, all or those that hold the words. */
async function list(access: Access, kind: string, properties: string[], { words, cursor }: CrmFrom) {
  const after: Record<string, string> = cursor === null ? {} : { after: cursor };
  const at = `${API}/crm/v3/objects/${kind}`;
  const body = { query: words, limit: PAGE, properties, ...after };
  return words === ''
    ? readJson<Listed<Row>>(
        access,
        `${at}?${new URLSearchParams({ limit: String(PAGE), properties: properties.join(','), ...after })}`,
      )
    : readJson<Listed<Row>>(access, `${at}/search`, { ...asJson('POST', body), isRead: true });
}

/** A page of the contacts of a list (https://developers.hubspot.com/docs/api-reference/crm-lists-v3). */
async function listMembers(access: Access, listId: string, cursor: string | null): Promise<CrmPage<CrmContact>> {
  const page = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { after: cursor }) });
  const members = await readJson<Listed<{ recordId: string }>>(
    access,
    `${API}/crm/v3/lists/${encodeURIComponent(listId)}/memberships?${page}`,
  );
  const inputs = members.results.map(({ recordId }) => ({ id: recordId }));
  if (inputs.length === 0) return { rows: [], next: nextOf(members) };
  const { results } = await readJson<Listed<Row>>(access, `${API}/crm/v3/objects/contacts/batch/read`, {
    ...asJson('POST', { properties: CONTACT, inputs }),
    isRead: true,
  });
  return { rows: results.map(toContact), next: nextOf(members) };
}

/** A page of the chosen contacts. A list is read whole: only all contacts can be looked through for words. */
export async function listContacts(
  access: Access,
  { people }: ScopeValues,
  from: CrmFrom,
): Promise<CrmPage<CrmContact>> {
  if (people !== ALL) return listMembers(access, readOption(people).id, from.cursor);
  const found = await list(access, 'contacts', CONTACT, from);
  return { rows: found.results.map(toContact), next: nextOf(found) };
}

/** A page of companies. */
export async function listCompanies(access: Access, _values: ScopeValues, from: CrmFrom): Promise<CrmPage<CrmCompany>> {
  const found = await list(access, 'companies', COMPANY, from);
  return { rows: found.results.map(toCompany), next: nextOf(found) };
}

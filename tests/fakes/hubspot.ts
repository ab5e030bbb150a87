import { type FakePerson, makeRecords } from './crmRecords.ts';
import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Email = { id: string; name: string; subject: string; state: string; content: { plainTextVersion: string } };
const failure = (status: number, category: string): ApiAnswer => ({
  status,
  body: { status: 'error', message: category, category, correlationId: 'c1' },
});
const CONTACT = 'email,firstname,lastname,company,jobtitle,hs_email_optout';

/**
 * HubSpot over real HTTP: contacts and companies with pages and a search, lists with their members, draft e-mails, limits,
 * and an account that may not have marketing e-mails.
 */
export async function startHubspot(client?: Parameters<typeof startProvider>[0]) {
  const records = makeRecords();
  const emails: Email[] = [];
  const state = { hasEmails: true };
  const lists = [
    { listId: '7', name: 'Trusts', objectTypeId: '0-1' },
    { listId: '8', name: 'Private', objectTypeId: '0-1' },
    { listId: '9', name: 'Firms', objectTypeId: '0-2' },
  ];

  const toContact = ([id, one]: [string, FakePerson]) => ({
    id,
    properties: {
      ...{ firstname: one.first, lastname: one.last, email: one.email, company: one.company, jobtitle: one.role },
      hs_email_optout: one.isOptedOut ? 'true' : null,
    },
  });
  const everybody = () => [...records.people, ...records.others];
  const firms = () => [...records.companies].map(([id, properties]) => ({ id, properties }));

  function listed(rows: object[], after: string | null): ApiAnswer {
    const page = records.pageOf(rows, Number(after ?? 0));
    const paging = page.next === null ? {} : { paging: { next: { after: String(page.next) } } };
    return { status: 200, body: { results: page.rows, ...paging } };
  }

  function search(kind: string, body: string): ApiAnswer {
    const { query, after = null } = JSON.parse(body) as { query: string; after?: string };
    const rows = kind === 'contacts' ? everybody().map(toContact) : firms();
    const words = query.toLowerCase();
    return listed(
      rows.filter(({ properties }) => JSON.stringify(Object.values(properties)).toLowerCase().includes(words)),
      after,
    );
  }

  function answerEmails({ method, query, body }: ApiCall): ApiAnswer {
    if (!state.hasEmails) return failure(403, 'MISSING_SCOPES');
    if (method === 'GET')
      return listed(query.get('isPublished') === 'false' ? emails.toReversed() : [], query.get('after'));
    const given = JSON.parse(body) as Omit<Email, 'id'> & { to?: object };
    if (given.state !== 'DRAFT' || given.to) return failure(400, 'VALIDATION_ERROR');
    const made = { ...given, id: String(emails.length + 501) };
    emails.push(made);
    return { status: 201, body: made };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { path, query, body } = call;
    if (records.takeLimit()) return { ...failure(429, 'RATE_LIMITS'), headers: { 'retry-after': '0' } };
    if (path === '/account-info/v3/details')
      return { status: 200, body: { portalId: 62515, uiDomain: 'app.hubspot.com' } };
    if (path === '/crm/v3/lists/search') {
      const { offset } = JSON.parse(body) as { offset: number };
      const page = records.pageOf(lists, offset);
      const at = page.next ?? offset + page.rows.length;
      return { status: 200, body: { lists: page.rows, hasMore: page.next !== null, offset: at } };
    }
    const [, listId] = /^\/crm\/v3\/lists\/(\d+)\/memberships$/.exec(path) ?? [];
    if (listId) {
      const members = listId === '7' ? records.people : listId === '8' ? records.others : null;
      const ids = members && [...members.keys()].map((recordId) => ({ recordId }));
      return ids ? listed(ids, query.get('after')) : failure(404, 'OBJECT_NOT_FOUND');
    }
    if (path === '/crm/v3/objects/contacts/batch/read') {
      const { inputs } = JSON.parse(body) as { inputs: { id: string }[] };
      const asked = everybody().filter(([id]) => inputs.some((one) => one.id === id));
      return inputs.length > 100
        ? failure(400, 'VALIDATION_ERROR')
        : { status: 200, body: { results: asked.map(toContact) } };
    }
    const [, kind = '', isSearch] = /^\/crm\/v3\/objects\/(contacts|companies)(\/search)?$/.exec(path) ?? [];
    if (isSearch) return search(kind, body);
    if (kind === 'companies') return listed(firms(), query.get('after'));
    if (kind === 'contacts' && query.get('properties') === CONTACT)
      return listed(everybody().map(toContact), query.get('after'));
    return path === '/marketing/v3/emails' ? answerEmails(call) : null;
  }

  const token = '/oauth/2026-03/token';
  const provider = await startProvider(client, {
    ...{ authorize: '/oauth/authorize', token, revoke: `${token}/revoke`, api, refusesPkce: true },
    tokenFields: () => ({ hub_id: 62515 }),
  });
  const initial = { ...provider.behaviour, rotates: false };
  Object.assign(provider.behaviour, initial);
  return {
    ...provider,
    ...{ records, emails, state },
    clear() {
      records.clear();
      emails.length = 0;
      state.hasEmails = true;
    },
    recover() {
      provider.recover();
      Object.assign(provider.behaviour, initial);
    },
  };
}

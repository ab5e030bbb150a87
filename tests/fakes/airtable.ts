import { type FakePerson, makeRecords } from './crmRecords.ts';
import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

const failure = (status: number, type: string): ApiAnswer => ({ status, body: { error: { type, message: type } } });
const field = (id: string, name: string, type = 'singleLineText') => ({ id, name, type });
type Draft = { id: string; fields: Record<string, string> };

/**
 * Airtable over real HTTP: PKCE required, refresh tokens that are taken once, bases with tables, records with pages and
 * without empty cells, a formula, and limits.
 */
export async function startAirtable(client?: Parameters<typeof startProvider>[0]) {
  const records = makeRecords();
  const drafts: Draft[] = [];
  const people = {
    ...{ id: 'tblPeople', name: 'People', primaryFieldId: 'f1' },
    fields: [
      ...[field('f1', 'Name'), field('f2', 'First name'), field('f3', 'Reach', 'email'), field('f4', 'Company')],
      ...[field('f5', 'Job title'), field('f6', 'Unsubscribed', 'checkbox')],
    ],
  };
  const START = { hasEmail: true, hasLongText: true };
  const state = { ...START };

  const toRecord = ([id, one]: [string, FakePerson]) => ({
    id,
    createdTime: '2026-01-01T00:00:00.000Z',
    fields: {
      ...{ Name: `${one.first} ${one.last}`, 'First name': one.first, Reach: one.email, Company: one.company },
      'Job title': one.role,
      ...(one.isOptedOut ? { Unsubscribed: true } : {}),
    },
  });

  function answerMeta(path: string, query: URLSearchParams): ApiAnswer | null {
    if (path === '/v0/meta/whoami') return { status: 200, body: { id: 'usr1', scopes: [] } };
    if (path === '/v0/meta/bases') {
      const isSecond = query.get('offset') === 'o1';
      const base = isSecond ? { id: 'app2', name: 'Private' } : { id: 'app1', name: 'Sales' };
      return { status: 200, body: { bases: [base], ...(isSecond ? {} : { offset: 'o1' }) } };
    }
    const long = state.hasLongText ? [field('d2', 'Text', 'multilineText')] : [];
    const tables = [
      { ...people, fields: people.fields.filter(({ type }) => state.hasEmail || type !== 'email') },
      { id: 'tblDrafts', name: 'Drafts', primaryFieldId: 'd1', fields: [field('d1', 'Title'), ...long] },
    ];
    if (path === '/v0/meta/bases/app1/tables') return { status: 200, body: { tables } };
    if (path === '/v0/meta/bases/app2/tables')
      return { status: 200, body: { tables: [{ ...people, name: 'Friends' }] } };
    return null;
  }

  function answerDrafts({ method, query, body }: ApiCall): ApiAnswer {
    if (method === 'GET') {
      const [, title] = /^\{Title\}="(.*)"$/.exec(query.get('filterByFormula') ?? '') ?? [];
      return { status: 200, body: { records: drafts.filter(({ fields }) => fields.Title === title) } };
    }
    const { fields } = JSON.parse(body) as Draft;
    const made = { id: `rec${drafts.length + 1}`, fields };
    drafts.push(made);
    return { status: 200, body: made };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { path, query } = call;
    if (records.takeLimit())
      return { status: 429, body: { errors: [{ error: 'RATE_LIMIT_REACHED' }] }, headers: { 'retry-after': '0' } };
    if (path === '/v0/app1/tblDrafts') return answerDrafts(call);
    const of = { '/v0/app1/tblPeople': records.people, '/v0/app2/tblPeople': records.others }[path];
    if (!of) return answerMeta(path, query) ?? failure(404, 'NOT_FOUND');
    const [, at = '0'] = /^itr(\d+)$/.exec(query.get('offset') ?? '') ?? [];
    const page = records.pageOf([...of].map(toRecord), Number(at));
    return { status: 200, body: { records: page.rows, ...(page.next === null ? {} : { offset: `itr${page.next}` }) } };
  }

  const token = '/oauth2/v1/token';
  const provider = await startProvider(client, {
    ...{ authorize: '/oauth2/v1/authorize', token, revoke: '/oauth2/v1/revoke', api },
  });
  return {
    ...provider,
    ...{ records, drafts, state },
    clear() {
      records.clear();
      drafts.length = 0;
      Object.assign(state, START);
    },
  };
}

import { type FakePerson, makeRecords } from './crmRecords.ts';
import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Campaign = {
  id: string;
  web_id: number;
  status: string;
  recipients?: object;
  settings: { title: string; subject_line: string };
  plain_text: string;
  html: string;
};
const failure = (status: number, title: string): ApiAnswer => ({
  status,
  body: {
    type: 'https://mailchimp.com/developer/marketing/docs/errors/',
    title,
    status,
    detail: title,
    instance: 'i1',
  },
});

/**
 * Mailchimp over real HTTP: tokens that never expire (`expires_in: 0`, `scope: null`), a call for the data centre with its
 * own scheme, audiences with members of every status, draft campaigns with a content of their own, and limits.
 */
export async function startMailchimp(client?: Parameters<typeof startProvider>[0]) {
  const records = makeRecords();
  const campaigns: Campaign[] = [];
  const START = { dataCentre: 'us21', refusesContent: false };
  const state = { ...START };
  /** Members with another status than subscribed and unsubscribed. */
  const statuses = new Map<string, string>();

  const toMember = ([id, one]: [string, FakePerson]) => ({
    ...{ id, email_address: one.email, full_name: `${one.first} ${one.last}` },
    status: statuses.get(id) ?? (one.isOptedOut ? 'unsubscribed' : 'subscribed'),
    merge_fields: { FNAME: one.first, LNAME: one.last, COMPANY: one.company, JOBTITLE: one.role },
  });
  const counted = (name: string, rows: object[], query: URLSearchParams): ApiAnswer => ({
    status: 200,
    body: { [name]: records.pageOf(rows, Number(query.get('offset'))).rows, total_items: rows.length },
  });

  function answerCampaigns({ method, query, body }: ApiCall): ApiAnswer {
    if (method === 'GET')
      return counted('campaigns', query.get('status') === 'save' ? campaigns.toReversed() : [], query);
    const at = campaigns.length + 1;
    const { settings, recipients, type } = JSON.parse(body) as Campaign & { type: string };
    if (type !== 'regular') return failure(400, 'Invalid Resource');
    const made = { id: `c${at}`, web_id: 900 + at, status: 'save', settings, plain_text: '', html: '' };
    campaigns.push(recipients ? { ...made, recipients } : made);
    return { status: 200, body: made };
  }

  function answerContent({ method, body }: ApiCall, id: string): ApiAnswer {
    const campaign = campaigns.find((one) => one.id === id);
    if (!campaign) return failure(404, 'Resource Not Found');
    if (method === 'PUT' && state.refusesContent) return failure(400, 'Bad Request');
    if (method === 'PUT') Object.assign(campaign, JSON.parse(body) as object);
    return { status: 200, body: { plain_text: campaign.plain_text, html: campaign.html } };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { path, query, headers } = call;
    if (records.takeLimit()) return failure(429, 'Too Many Requests');
    const metadata = {
      dc: state.dataCentre,
      accountname: 'Quillmere',
      user_id: 31,
      api_endpoint: 'https://us21.api.mailchimp.com',
    };
    if (path === '/oauth2/metadata')
      return headers.authorization?.startsWith('OAuth ')
        ? { status: 200, body: metadata }
        : failure(401, 'invalid_token');
    const lists = [
      { id: 'a1', name: 'Trusts' },
      { id: 'a2', name: 'Private' },
    ];
    if (path === '/3.0/lists') return counted('lists', lists, query);
    if (path === '/3.0/lists/a1/members') return counted('members', [...records.people].map(toMember), query);
    if (path === '/3.0/lists/a2/members') return counted('members', [...records.others].map(toMember), query);
    if (path === '/3.0/campaigns') return answerCampaigns(call);
    const [, id] = /^\/3\.0\/campaigns\/(\w+)\/content$/.exec(path) ?? [];
    return id ? answerContent(call, id) : null;
  }

  const provider = await startProvider(client, {
    ...{ authorize: '/oauth2/authorize', token: '/oauth2/token', api, refusesPkce: true, isUntyped: true },
    tokenFields: () => ({ expires_in: 0, scope: null, refresh_token: undefined }),
  });
  return {
    ...provider,
    ...{ records, campaigns, state, statuses },
    clear() {
      records.clear();
      campaigns.length = 0;
      statuses.clear();
      Object.assign(state, START);
    },
  };
}

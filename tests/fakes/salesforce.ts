import { makeRecords } from './crmRecords.ts';
import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

const VERSION = '/services/data/v62.0';
const failure = (status: number, errorCode: string): ApiAnswer => ({
  status,
  body: [{ message: errorCode, errorCode }],
});
type Campaign = { Id: string; Name: string; Status: string; IsActive: boolean; Description: string };

/**
 * Salesforce over real HTTP: a token answer that names the instance, queries with pages, campaigns, the daily limit that is
 * refused with 403, and a field about opt-outs that a connection may not be allowed to see.
 */
export async function startSalesforce(client?: Parameters<typeof startProvider>[0]) {
  const records = makeRecords();
  const campaigns: Campaign[] = [];
  const START = { instance: 'https://quillmere.my.salesforce.com', isOverLimit: false, seesOptOuts: true };
  const state = { ...START };
  let kept: { rows: object[]; at: number } = { rows: [], at: 0 };

  const likes = (soql: string) => {
    const [, words] = / LIKE '%((?:\\.|[^'])*)%'/.exec(soql) ?? [];
    return words === undefined ? null : words.replace(/\\(.)/g, '$1').toLowerCase();
  };
  const fits = (words: string | null, ...texts: string[]) =>
    words === null || texts.some((text) => text.toLowerCase().includes(words));

  function rowsOf(soql: string): object[] {
    const words = likes(soql);
    if (soql.includes(' FROM Organization')) return [{ Id: 'org-1', Name: 'Quillmere' }];
    if (soql.includes(' FROM Account'))
      return [...records.companies]
        .filter(([, { name, industry }]) => fits(words, name, industry))
        .map(([Id, { name, domain, industry }]) => ({ Id, Name: name, Website: domain, Industry: industry }));
    if (soql.includes(' FROM Campaign')) {
      const [, name] = /Name = '((?:\\.|[^'])*)'/.exec(soql) ?? [];
      return campaigns.filter((one) => one.Name === name?.replace(/\\(.)/g, '$1'));
    }
    const isLead = soql.includes(' FROM Lead');
    return [...(isLead ? records.others : records.people)]
      .filter(([, { first, last, company, role }]) => fits(words, `${first} ${last}`, company, role))
      .map(([Id, { first, last, email, company, role, isOptedOut }]) => ({
        ...{ Id, Name: `${first} ${last}`, FirstName: first, Email: email, Title: role },
        ...(isLead ? { Company: company } : { Account: { Name: company } }),
        HasOptedOutOfEmail: isOptedOut,
      }));
  }

  function page(rows: object[], at: number): ApiAnswer {
    const { rows: shown, next } = records.pageOf(rows, at);
    kept = { rows, at: next ?? 0 };
    const more = next === null ? {} : { nextRecordsUrl: `${VERSION}/query/01g-${next}` };
    return { status: 200, body: { totalSize: rows.length, done: next === null, records: shown, ...more } };
  }

  function api({ method, path, query, body }: ApiCall): ApiAnswer | null {
    if (records.takeLimit()) return { ...failure(429, 'TOO_MANY'), headers: { 'retry-after': '0' } };
    if (state.isOverLimit) return failure(403, 'REQUEST_LIMIT_EXCEEDED');
    if (path === `${VERSION}/query`) {
      const soql = query.get('q') ?? '';
      const isHidden = soql.includes('HasOptedOutOfEmail') && !state.seesOptOuts;
      return isHidden ? failure(400, 'INVALID_FIELD') : page(rowsOf(soql), 0);
    }
    if (path === `${VERSION}/query/01g-${kept.at}`) return page(kept.rows, kept.at);
    if (path === `${VERSION}/sobjects/Campaign` && method === 'POST') {
      const made = { ...(JSON.parse(body) as Omit<Campaign, 'Id'>), Id: `701-${campaigns.length + 1}` };
      if (made.Name.length > 80) return failure(400, 'STRING_TOO_LONG');
      campaigns.push(made);
      return { status: 201, body: { id: made.Id, success: true, errors: [] } };
    }
    return null;
  }

  const paths = { authorize: '/services/oauth2/authorize', token: '/services/oauth2/token' };
  const provider = await startProvider(client, {
    ...{ ...paths, revoke: '/services/oauth2/revoke', api },
    tokenFields: () => ({ instance_url: state.instance, signature: 's', issued_at: '1' }),
  });
  // It names no lifetime, and gives no new refresh token.
  const initial = { ...provider.behaviour, rotates: false, lifetime: null };
  Object.assign(provider.behaviour, initial);
  return {
    ...provider,
    ...{ records, campaigns, state },
    clear() {
      records.clear();
      campaigns.length = 0;
      Object.assign(state, START);
    },
    recover() {
      provider.recover();
      Object.assign(provider.behaviour, initial);
      Object.assign(state, START);
    },
  };
}

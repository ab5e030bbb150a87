import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Issue = {
  key: string;
  summary: string;
  text: string;
  type: string;
  labels: string[];
  status: string;
  created: number;
  updated: number;
};

const SITE = { id: 'cloud-1', url: 'https://quillmere.atlassian.net', name: 'quillmere', scopes: ['read:jira-work'] };
/** Most issues in a page, with fields and with keys alone, whatever is asked for. */
const MAX_PAGE = 100;
const MAX_KEYS = 5000;

const badRequest = (message: string): ApiAnswer => ({ status: 400, body: { errorMessages: [message], errors: {} } });

/**
 * Jira Cloud over real HTTP: Atlassian's consent, sites, projects, and the search by JQL with its pages. A page's token
 * is accepted with the query that it was given for only.
 */
export async function startJira(client?: Parameters<typeof startProvider>[0]) {
  const projects = [
    { key: 'NRL', name: 'Norrland' },
    { key: 'EPS', name: 'E-prescribing' },
  ];
  const issues = new Map<string, Issue>();
  let generation = 0;

  function find(jql: string): Issue[] | string {
    const [, project] = /^project = "([A-Z]+)"/.exec(jql) ?? [];
    if (!projects.some(({ key }) => key === project))
      return `The value '${project}' does not exist for the field 'project'.`;
    const minutes = /updated >= "-(\d+)m"/.exec(jql)?.[1];
    const since = minutes === undefined ? 0 : Date.now() - Number(minutes) * 60_000;
    const type = /\(issuetype = (\w+)\)/.exec(jql)?.[1];
    if (/\(bogus/.test(jql)) return 'Error in the JQL Query.';
    return [...issues.values()]
      .filter(({ key, updated }) => key.startsWith(`${project}-`) && updated >= since)
      .filter((issue) => type === undefined || issue.type === type)
      .sort((one, other) => one.created - other.created || one.key.localeCompare(other.key, 'en', { numeric: true }));
  }

  function search({ body }: ApiCall): ApiAnswer {
    const { jql, fields, maxResults, nextPageToken } = JSON.parse(body) as {
      jql: string;
      fields: string[];
      maxResults: number;
      nextPageToken?: string;
    };
    const found = find(jql);
    if (typeof found === 'string') return badRequest(found);
    const [at = '0', given = jql, of = String(generation)] = nextPageToken
      ? (JSON.parse(Buffer.from(nextPageToken, 'base64').toString()) as string[])
      : [];
    if (given !== jql || of !== String(generation)) return badRequest('The nextPageToken is not valid.');
    const isKeys = fields.length === 1 && fields[0] === 'key';
    const end = Number(at) + Math.min(maxResults, isKeys ? MAX_KEYS : MAX_PAGE);
    const next = Buffer.from(JSON.stringify([String(end), jql, String(generation)])).toString('base64');
    return {
      status: 200,
      body: {
        issues: found.slice(Number(at), end).map((issue) => (isKeys ? { key: issue.key } : present(issue))),
        isLast: end >= found.length,
        ...(end >= found.length ? {} : { nextPageToken: next }),
      },
    };
  }

  const present = ({ key, summary, text, type, labels, status, updated }: Issue) => ({
    id: key,
    key,
    fields: {
      summary,
      description: text
        ? { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
        : null,
      issuetype: { name: type },
      labels,
      components: [],
      status: { name: status },
      updated: new Date(updated).toISOString().replace('Z', '+0000'),
    },
  });

  function api(call: ApiCall): ApiAnswer | null {
    const { path, query } = call;
    if (path === '/oauth/token/accessible-resources') return { status: 200, body: [SITE] };
    const [, site, rest] = /^\/ex\/jira\/([^/]+)\/rest\/api\/3\/(.+)$/.exec(path) ?? [];
    if (site !== SITE.id) return null;
    if (rest === 'search/jql') return search(call);
    if (rest === 'search/approximate-count') {
      const found = find((JSON.parse(call.body) as { jql: string }).jql);
      return typeof found === 'string' ? badRequest(found) : { status: 200, body: { count: found.length } };
    }
    if (rest === 'project/search') {
      const at = Number(query.get('startAt') ?? 0);
      const values = projects.slice(at, at + Math.min(50, Number(query.get('maxResults') ?? 50)));
      return { status: 200, body: { values, total: projects.length, isLast: at + values.length >= projects.length } };
    }
    return null;
  }

  const provider = await startProvider(client, { token: '/oauth/token', api });
  return {
    ...provider,
    projects,
    issues,
    /** Adds or changes an issue. */
    put(key: string, change: Partial<Issue> = {}) {
      const before = issues.get(key);
      const now = Date.now();
      const issue = { key, summary: `Issue ${key}`, text: '', type: 'Bug', labels: [], status: 'Open', created: now };
      issues.set(key, { ...issue, ...before, updated: now, ...change });
    },
    /** Forgets every page token that was given. */
    forgetPages() {
      generation += 1;
    },
    /** Calls of the search for pages of issues with their fields. */
    pages: () =>
      provider.asked.filter(({ path, body = '' }) => path?.endsWith('/search/jql') && body.includes('summary')),
  };
}
export type FakeJira = Awaited<ReturnType<typeof startJira>>;

import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Issue = {
  title: string;
  description: string | null;
  labels: string[];
  state: string;
  created: number;
  updated: number;
};

const answer = (data: object): ApiAnswer => ({ status: 200, body: { data } });
const fault = (status: number, code: string): ApiAnswer => ({
  status,
  body: { errors: [{ message: code, extensions: { code } }] },
});

/** Linear over real HTTP: its consent, and GraphQL with teams and issues, pages, limits and errors. */
export async function startLinear(client?: Parameters<typeof startProvider>[0]) {
  const issues = new Map<string, Issue>();
  let generation = 0;
  let isLimited = false;

  function api({ path, body }: ApiCall): ApiAnswer | null {
    if (path !== '/graphql') return null;
    if (isLimited) return fault(400, 'RATELIMITED');
    const { query, variables = {} } = JSON.parse(body) as { query: string; variables?: Record<string, never> };
    if (query.includes('organization')) return answer({ organization: { id: 'org-1', name: 'Quillmere' } });
    const {
      filter,
      first = 50,
      after,
    } = variables as {
      filter?: { team: { key: { eq: string } }; updatedAt?: { gte: string } };
      first?: number;
      after?: string | null;
    };
    if (query.includes('teams')) {
      const nodes = [
        { key: 'NRL', name: 'Norrland' },
        { key: 'EPS', name: 'E-prescribing' },
      ];
      return answer({ teams: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } });
    }
    const [of = String(generation), at = '0'] = after ? Buffer.from(after, 'base64').toString().split(':') : [];
    if (of !== String(generation) || first > 250) return fault(400, 'INVALID_INPUT');
    const since = Date.parse(filter?.updatedAt?.gte ?? '1970-01-01');
    const found = [...issues].filter(([key, it]) => key.startsWith(`${filter?.team.key.eq}-`) && it.updated >= since);
    const end = Number(at) + first;
    const nodes = found.slice(Number(at), end).map(([identifier, it]) => ({
      identifier,
      ...(query.includes('title')
        ? {
            title: it.title,
            description: it.description,
            url: `https://linear.app/quillmere/issue/${identifier}`,
            updatedAt: new Date(it.updated).toISOString(),
            state: { name: it.state },
            labels: { nodes: it.labels.map((name) => ({ name })) },
          }
        : {}),
    }));
    const endCursor = Buffer.from(`${generation}:${end}`).toString('base64');
    return answer({ issues: { nodes, pageInfo: { hasNextPage: end < found.length, endCursor } } });
  }

  const provider = await startProvider(client, {
    ...{ authorize: '/oauth/authorize', token: '/oauth/token', revoke: '/oauth/revoke' },
    api,
  });
  return {
    ...provider,
    /** Adds or changes an issue of the team NRL. */
    put(number: number, change: Partial<Issue> = {}) {
      const key = `NRL-${number}`;
      const now = Date.now();
      const issue = { title: `Issue ${number}`, description: null, labels: ['Bug'], state: 'Todo', created: now };
      issues.set(key, { ...issue, ...issues.get(key), updated: now, ...change });
    },
    remove: (number: number) => issues.delete(`NRL-${number}`),
    clear: () => issues.clear(),
    forgetPages() {
      generation += 1;
    },
    limit(on: boolean) {
      isLimited = on;
    },
    pages: () => provider.asked.filter(({ body = '' }) => body.includes('query Issues')),
  };
}

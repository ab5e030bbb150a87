import { makeGit } from './githubCode.ts';
import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Issue = {
  title: string;
  description: string | null;
  labels: string[];
  state: string;
  created: number;
  updated: number;
  isPullRequest: boolean;
};

/**
 * GitHub over real HTTP: its consent, whose token calls are refused with 200, repositories and issues with Link headers,
 * limits as 403, and the end of a grant.
 */
export async function startGithub(client?: Parameters<typeof startProvider>[0]) {
  const issues = new Map<number, Issue>();
  let isLimited = false;
  const revocations: ApiCall[] = [];

  const present = ([number, it]: [number, Issue]) => ({
    ...{ number, title: it.title, body: it.description, state: it.state, state_reason: null, type: { name: 'Bug' } },
    html_url: `https://github.com/acme/nrl/issues/${number}`,
    updated_at: new Date(it.updated).toISOString(),
    labels: it.labels.map((name) => ({ name })),
    ...(it.isPullRequest ? { pull_request: {} } : {}),
  });

  const git = makeGit();

  function api({ method, path, query, body }: ApiCall): ApiAnswer | null {
    if (isLimited) return { status: 403, body: { message: 'rate limit' }, headers: { 'x-ratelimit-remaining': '0' } };
    if (path === '/user') return { status: 200, body: { id: 7, login: 'ada' } };
    const perPage = Math.min(100, Number(query.get('per_page') ?? 30));
    const page = Number(query.get('page') ?? 1);
    const paged = (all: object[]): ApiAnswer => {
      const next = new URLSearchParams(query);
      next.set('page', String(page + 1));
      const more = `<https://api.github.com${path}?${next}>; rel="next", <https://api.github.com${path}>; rel="last"`;
      const headers = page * perPage < all.length ? { link: more } : {};
      return { status: 200, body: all.slice((page - 1) * perPage, page * perPage), headers: headers as never };
    };
    if (path === '/user/repos') return paged([{ full_name: 'acme/eps' }, { full_name: 'acme/nrl' }]);
    if (path !== '/repos/acme/nrl/issues')
      return path.startsWith('/repos/acme/nrl')
        ? git.answer(method, path.slice('/repos/acme/nrl'.length), query, body)
        : null;
    const since = Date.parse(query.get('since') ?? '1970-01-01');
    return paged([...issues].filter(([, { updated }]) => updated >= since).map(present));
  }

  const provider = await startProvider(client, {
    ...{ authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' },
    refuse: (error, form) => ({
      status: 200,
      error:
        error !== 'invalid_grant'
          ? 'incorrect_client_credentials'
          : form.get('grant_type') === 'refresh_token'
            ? 'bad_refresh_token'
            : 'bad_verification_code',
    }),
    api,
    open(call, end) {
      if (call.method !== 'DELETE' || call.path !== '/applications/arc/grant') return null;
      revocations.push(call);
      const basic = `Basic ${Buffer.from('arc:shh').toString('base64')}`;
      if (call.headers.authorization !== basic) return { status: 401, body: {} };
      return end((JSON.parse(call.body) as { access_token: string }).access_token)
        ? { status: 204, body: '' }
        : { status: 404, body: {} };
    },
  });
  return {
    ...provider,
    git,
    /** Adds or changes an issue of acme/nrl. */
    put(number: number, change: Partial<Issue> = {}) {
      const now = Date.now();
      const issue = { title: `Issue ${number}`, description: null, labels: ['bug'], state: 'open', created: now };
      issues.set(number, { ...issue, isPullRequest: false, ...issues.get(number), updated: now, ...change });
    },
    remove: (number: number) => issues.delete(number),
    clear: () => issues.clear(),
    /** A page is a number: GitHub forgets none. */
    forgetPages: null,
    limit(on: boolean) {
      isLimited = on;
    },
    pages: () => provider.asked.filter(({ path }) => path?.endsWith('/issues')),
  };
}

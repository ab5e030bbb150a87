import type { Access, ScopeDeclaration, Ticket, TicketSource } from '../../engine/connectors/connector.ts';
import { CursorRefused, ProviderFailure } from '../../engine/connectors/failure.ts';

export const API = 'https://api.github.com';
export const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
const PAGE = 100;
/** The choice of a repository's code beside its issues. */
export const WITH_CODE = 'yes';
/** Pages of repositories to choose from. */
const MAX_PAGES = 20;

type Issue = {
  number: number;
  title: string;
  body: string | null;
  html_url: string;
  updated_at: string;
  state: string;
  state_reason: string | null;
  type: { name?: string } | null;
  labels: (string | { name?: string })[];
  /** Present where it is a pull request, which the interface lists among the issues. */
  pull_request?: object;
};

/** The page that the header Link names as the next one; null after the last. */
function nextPage(link: string | null): string | null {
  const [, address = ''] = /<([^<>]*)>;\s*rel="next"/.exec(link ?? '') ?? [];
  return URL.canParse(address) ? new URL(address).searchParams.get('page') : null;
}

/** @throws ProviderFailure */
export async function get({ send }: Pick<Access, 'send'>, path: string): Promise<Response> {
  const answer = await send(API + path, { headers: HEADERS });
  if (!answer.ok) throw new ProviderFailure('refused', `it answers ${answer.status}`);
  return answer;
}

function toTicket(repository: string, issue: Issue): Ticket {
  const { number, title, body, html_url, updated_at, state, state_reason, type, labels } = issue;
  return {
    key: `${repository.split('/')[1] ?? repository}#${number}`,
    summary: title,
    description: body ?? '',
    type: type?.name ?? '',
    labels: labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter(Boolean),
    status: state_reason ? `${state}, ${state_reason.replaceAll('_', ' ')}` : state,
    url: html_url,
    changedAt: new Date(updated_at),
  };
}

export const scope: ScopeDeclaration = {
  fields: [
    { id: 'repository', label: 'Repository', hint: '', kind: 'choice', required: true },
    {
      id: 'code',
      label: 'Code',
      hint: 'With code, Arc reads files of the repository that somebody asks for, and opens pull requests on branches of its own, each time only after somebody has approved the exact files. It never changes the default branch.',
      kind: 'choice',
      required: false,
      empty: 'Issues alone',
    },
  ],
  async readOptions(access) {
    const names: string[] = [];
    for (let page: string | null = '1', pages = 0; page !== null && pages < MAX_PAGES; pages += 1) {
      const answer: Response = await get(access, `/user/repos?sort=full_name&per_page=${PAGE}&page=${page}`);
      names.push(...((await answer.json()) as { full_name: string }[]).map(({ full_name }) => full_name));
      page = nextPage(answer.headers.get('link'));
    }
    return {
      repository: names.map((name) => ({ value: name, label: name })),
      code: [{ value: WITH_CODE, label: 'Also code, and pull requests after an approval' }],
    };
  },
  describe: ({ repository, code }) => `issues ${code === WITH_CODE ? 'and code ' : ''}of ${repository}`,
};

export const tickets: TicketSource = {
  async readPage(access, { repository = '' }, { since, cursor }) {
    const [owner = '', name = ''] = repository.split('/').map(encodeURIComponent);
    const query = new URLSearchParams({
      ...{ state: 'all', sort: 'created', direction: 'asc', per_page: String(PAGE), page: cursor ?? '1' },
      ...(since ? { since: since.toISOString() } : {}),
    });
    const answer = await get(access, `/repos/${owner}/${name}/issues?${query}`).catch((error: unknown) => {
      throw cursor !== null && error instanceof ProviderFailure && error.message === 'it answers 422'
        ? new CursorRefused()
        : error;
    });
    const issues = (await answer.json()) as Issue[];
    return {
      tickets: issues.filter(({ pull_request }) => !pull_request).map((issue) => toTicket(repository, issue)),
      next: nextPage(answer.headers.get('link')),
      total: null,
    };
  },
};

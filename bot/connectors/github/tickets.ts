import type { Access, ScopeDeclaration, Ticket, TicketSource } from '../../engine/connectors/connector.ts';
import { CursorRefused, ProviderFailure } from '../../engine/connectors/failure.ts';

const API = 'https://api.github.com';
const PAGE = 100;
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
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const answer = await send(API + path, { headers });
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
  fields: [{ id: 'repository', label: 'Repository', hint: '', kind: 'choice', required: true }],
  async readOptions(access) {
    const names: string[] = [];
    for (let page: string | null = '1', pages = 0; page !== null && pages < MAX_PAGES; pages += 1) {
      const answer: Response = await get(access, `/user/repos?sort=full_name&per_page=${PAGE}&page=${page}`);
      names.push(...((await answer.json()) as { full_name: string }[]).map(({ full_name }) => full_name));
      page = nextPage(answer.headers.get('link'));
    }
    return { repository: names.map((name) => ({ value: name, label: name })) };
  },
  describe: ({ repository }) => `issues of ${repository}`,
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

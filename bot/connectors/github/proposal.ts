import type { Access, CodeProposal } from '../../engine/connectors/connector.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { asJson } from '../../engine/connectors/requests.ts';
import { API, HEADERS } from './tickets.ts';

type Reference = { object: { sha: string } };

/** Calls for one repository. `null`: the answer is one of the statuses that are expected. */
function callsOf({ send }: Access, repository: string) {
  const [owner = '', name = ''] = repository.split('/').map(encodeURIComponent);
  return async function call<T>(path: string, body: object | null, expected: number): Promise<T | null> {
    const { headers, ...init } = body ? asJson('POST', body) : {};
    const address = `${API}/repos/${owner}/${name}${path}`;
    const answer = await send(address, { ...init, headers: { ...headers, ...HEADERS } });
    if (answer.ok) return (await answer.json()) as T;
    await answer.arrayBuffer().catch(() => undefined);
    if (answer.status === expected) return null;
    throw new ProviderFailure('refused', `it answers ${answer.status}`);
  };
}

const NOT_FOUND = 404;
/** GitHub's answer where a branch or a pull request exists already. */
const INVALID = 422;

const refused = (what: string) => new ProviderFailure('refused', what);

function required<T>(found: T | null): T {
  if (found === null) throw refused('it has no such branch');
  return found;
}

/**
 * Opens a pull request from a branch of its own, in steps that are found again: an existing pull request of the branch
 * is returned, an existing branch keeps its commit (https://docs.github.com/rest/git).
 * @throws ProviderFailure, also where the branch is the default one
 */
export async function openProposal(
  access: Access,
  repository: string,
  { branch, title, text, files }: CodeProposal,
): Promise<string> {
  const call = callsOf(access, repository);
  const [owner = ''] = repository.split('/');
  const { default_branch: base } = required(await call<{ default_branch: string }>('', null, NOT_FOUND));
  if (branch === base) throw refused('nothing is pushed to the default branch');
  const query = new URLSearchParams({ head: `${owner}:${branch}`, state: 'all' });
  const findRequest = async () => (await call<{ html_url: string }[]>(`/pulls?${query}`, null, NOT_FOUND))?.[0];
  const known = await findRequest();
  if (known) return known.html_url;

  const refOf = (name: string) => `/git/ref/heads/${name.split('/').map(encodeURIComponent).join('/')}`;
  if (!(await call<Reference>(refOf(branch), null, NOT_FOUND))) {
    const { sha: parent } = required(await call<Reference>(refOf(base), null, NOT_FOUND)).object;
    const commit = required(await call<{ tree: { sha: string } }>(`/git/commits/${parent}`, null, NOT_FOUND));
    const entries = files.map(({ path, content }) => ({ path, mode: '100644', type: 'blob', content }));
    const made = await call<{ sha: string }>('/git/trees', { base_tree: commit.tree.sha, tree: entries }, NOT_FOUND);
    const message = { message: title, tree: required(made).sha, parents: [parent] };
    const { sha } = required(await call<{ sha: string }>('/git/commits', message, NOT_FOUND));
    // The branch appears with its commit, or not at all; of two at once the second finds the first one's.
    await call('/git/refs', { ref: `refs/heads/${branch}`, sha }, INVALID);
  }
  const opened = await call<{ html_url: string }>('/pulls', { title, head: branch, base, body: text }, INVALID);
  const found = opened ?? (await findRequest());
  if (!found) throw refused('it opened no pull request');
  return found.html_url;
}

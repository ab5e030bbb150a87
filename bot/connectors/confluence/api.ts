import type { Access } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';

type Listed<T> = { results: T[]; _links?: { next?: string; base?: string } };

/** A page as listings have it (https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page). */
export type Page = {
  id: string;
  title: string;
  version?: { number: number };
  body?: { storage?: { value: string } };
  _links: { webui: string; editui?: string; base?: string };
};

/** Address of a site's API. */
export const siteApi = (siteId: string): string =>
  `https://api.atlassian.com/ex/confluence/${encodeURIComponent(siteId)}/wiki/api/v2`;

/** A page of rows; the cursor to the next stands in a relative address. @throws ProviderFailure */
export async function list<T>(access: Pick<Access, 'send'>, address: string, cursor: string | null) {
  const from = new URL(address);
  if (cursor !== null) from.searchParams.set('cursor', cursor);
  const { results, _links } = await readJson<Listed<T>>(access, from.href);
  const next = _links?.next ? new URL(_links.next, from).searchParams.get('cursor') : null;
  return { rows: results, next, base: _links?.base ?? '' };
}

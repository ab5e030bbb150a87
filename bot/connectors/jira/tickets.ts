import type { Access, ScopeValues, Ticket, TicketSource } from '../../engine/connectors/connector.ts';
import { CursorRefused, ProviderFailure } from '../../engine/connectors/failure.ts';
import { readSites } from '../atlassianSites.ts';
import { type DocumentNode, documentText } from './documentText.ts';
import { readProject, siteApi } from './scope.ts';

const FIELDS = ['summary', 'description', 'issuetype', 'labels', 'components', 'status', 'updated'];
/** Most issues in one page: with their fields, and with their keys alone. */
const PAGE = 100;
const KEYS_PAGE = 5000;

type Named = { name?: string } | null;
type Issue = {
  key: string;
  fields?: {
    summary?: string | null;
    description?: DocumentNode | null;
    issuetype?: Named;
    labels?: string[];
    components?: Named[];
    status?: Named;
    updated?: string;
  };
};
type Found = { issues?: Issue[]; nextPageToken?: string; isLast?: boolean };

/**
 * The query for the issues of a project. Times are given as minutes before now: others are read in the time zone of
 * whoever connected Jira.
 */
function queryOf(values: ScopeValues, since: Date | null, now = Date.now()): string {
  const { key } = readProject(values);
  const parts = [`project = "${key}"`];
  if (values.jql) parts.push(`(${values.jql})`);
  if (since) parts.push(`updated >= "-${Math.max(1, Math.ceil((now - since.getTime()) / 60_000))}m"`);
  return `${parts.join(' AND ')} ORDER BY created ASC, key ASC`;
}

async function search({ send }: Access, values: ScopeValues, path: string, body: object): Promise<unknown> {
  const { siteId } = readProject(values);
  const answer = await send(`${siteApi(siteId)}/search/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    isRead: true,
  });
  if (answer.ok) return answer.json();
  if (answer.status === 400 && 'nextPageToken' in body) throw new CursorRefused();
  throw new ProviderFailure('refused', `the search answers ${answer.status}`);
}

function toTicket({ key, fields = {} }: Issue, siteUrl: string): Ticket {
  const named = [...(fields.labels ?? []), ...(fields.components ?? []).map((one) => one?.name ?? '')];
  return {
    key,
    summary: fields.summary ?? '',
    description: documentText(fields.description),
    type: fields.issuetype?.name ?? '',
    labels: named.filter((name) => name !== ''),
    status: fields.status?.name ?? '',
    url: `${siteUrl}/browse/${encodeURIComponent(key)}`,
    changedAt: new Date(fields.updated ?? 0),
  };
}

/** A cursor carries its query: Jira accepts a token only with the query that it was given for, and minutes pass. */
type Cursor = { jql: string; nextPageToken?: string };
const openCursor = (cursor: string | null, jql: string): Cursor => (cursor === null ? { jql } : JSON.parse(cursor));
const nextOf = ({ nextPageToken, isLast }: Found, { jql }: Cursor): string | null =>
  isLast === true || nextPageToken === undefined ? null : JSON.stringify({ jql, nextPageToken } satisfies Cursor);

/** Addresses of sites, by the open grant: they are asked for once in a reading. */
const sitesOf = new WeakMap<Access['send'], ReturnType<typeof readSites>>();
async function urlOf({ send }: Access, siteId: string): Promise<string> {
  const known = sitesOf.get(send) ?? readSites(send);
  sitesOf.set(send, known);
  return (await known).find(({ id }) => id === siteId)?.url ?? '';
}

export const tickets: TicketSource = {
  async readPage(access, values, { since, cursor }) {
    const at = openCursor(cursor, queryOf(values, since));
    const [found, counted, siteUrl] = await Promise.all([
      search(access, values, 'jql', { ...at, fields: FIELDS, maxResults: PAGE }),
      cursor === null ? search(access, values, 'approximate-count', { jql: at.jql }) : null,
      urlOf(access, readProject(values).siteId),
    ]);
    return {
      tickets: ((found as Found).issues ?? []).map((issue) => toTicket(issue, siteUrl)),
      next: nextOf(found as Found, at),
      total: (counted as { count: number } | null)?.count ?? null,
    };
  },

  async readKeys(access, values, cursor) {
    const at = openCursor(cursor, queryOf(values, null));
    const found = (await search(access, values, 'jql', { ...at, fields: ['key'], maxResults: KEYS_PAGE })) as Found;
    return { keys: (found.issues ?? []).map(({ key }) => key), next: nextOf(found, at) };
  },
};

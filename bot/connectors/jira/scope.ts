import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import { readSites } from '../atlassianSites.ts';

const API = 'https://api.atlassian.com';

type Project = { key: string; name: string };

/** Address of a site's API. */
export const siteApi = (siteId: string): string => `${API}/ex/jira/${encodeURIComponent(siteId)}/rest/api/3`;

/** A project is chosen with its site: "cloud-id/NRL". */
export function readProject({ project = '' }: ScopeValues): { siteId: string; key: string } {
  const at = project.lastIndexOf('/');
  return { siteId: project.slice(0, at), key: project.slice(at + 1) };
}

const PAGE = 50;
const MAX_PAGES = 20;

async function readProjects({ send }: Access, { id }: { id: string }): Promise<Project[]> {
  const found: Project[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const address = `${siteApi(id)}/project/search?orderBy=key&maxResults=${PAGE}&startAt=${page * PAGE}`;
    const answer = await send(address);
    // A site where Jira may not be used is no fault of the others.
    if (!answer.ok) break;
    const { values, isLast } = (await answer.json()) as { values: Project[]; isLast: boolean };
    found.push(...values);
    if (isLast) break;
  }
  return found;
}

/** Parentheses of a query outside its quotes, as a depth at its end; -1 where one is closed that was never opened. */
function depthOf(query: string): number {
  let depth = 0;
  for (const [part] of query.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()]/g)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (depth < 0) return -1;
  }
  return depth;
}

function faultOfQuery(query: string): string | null {
  if (/\border\s+by\b/i.test(query)) return 'Leave out ORDER BY: Arc orders the tickets itself.';
  return depthOf(query) === 0 ? null : 'The parentheses of the query don’t match.';
}

export const scope: ScopeDeclaration = {
  fields: [
    { id: 'project', label: 'Project', hint: '', kind: 'choice', required: true },
    {
      id: 'jql',
      label: 'Only tickets that match (JQL)',
      hint: 'Optional, for example: issuetype in (Bug, Incident) AND created >= -52w',
      kind: 'text',
      required: false,
    },
  ],
  async readOptions(access) {
    const sites = await readSites(access.send);
    const projects = await Promise.all(sites.map((site) => readProjects(access, site)));
    const project = sites.flatMap((site, at) =>
      (projects[at] ?? []).map(({ key, name }) => ({
        value: `${site.id}/${key}`,
        label: sites.length > 1 ? `${site.name}: ${key} ${name}` : `${key} ${name}`,
      })),
    );
    return { project };
  },
  faultsOf({ jql = '' }): Record<string, string> {
    const fault = faultOfQuery(jql);
    return fault === null ? {} : { jql: fault };
  },
  describe: (values) => `project ${readProject(values).key}${values.jql ? ` (${values.jql})` : ''}`,
};

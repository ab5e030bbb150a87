import type { ScopeDeclaration, Ticket, TicketSource } from '../../engine/connectors/connector.ts';
import { ask } from './graphql.ts';

const PAGE = 100;
const KEYS_PAGE = 250;
const TEAMS_PAGE = 100;

type Page<Node> = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
type Issue = {
  identifier: string;
  title: string;
  description: string | null;
  url: string;
  updatedAt: string;
  state: { name: string } | null;
  labels: { nodes: { name: string }[] };
};

const ISSUES = `query Issues($filter: IssueFilter, $first: Int, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: createdAt) {
    nodes { identifier title description url updatedAt state { name } labels { nodes { name } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const KEYS = `query Keys($filter: IssueFilter, $first: Int, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: createdAt) {
    nodes { identifier }
    pageInfo { hasNextPage endCursor }
  }
}`;
const TEAMS = `query Teams($first: Int, $after: String) {
  teams(first: $first, after: $after) { nodes { key name } pageInfo { hasNextPage endCursor } }
}`;

const nextOf = <Node>({ pageInfo }: Page<Node>) => (pageInfo.hasNextPage ? pageInfo.endCursor : null);
const filterOf = (team: string | undefined, since: Date | null) => ({
  team: { key: { eq: team } },
  ...(since ? { updatedAt: { gte: since.toISOString() } } : {}),
});

/** Linear has no types of issues: their labels say what they are. */
const toTicket = ({ identifier, title, description, url, updatedAt, state, labels }: Issue): Ticket => ({
  key: identifier,
  summary: title,
  description: description ?? '',
  type: '',
  labels: labels.nodes.map(({ name }) => name),
  status: state?.name ?? '',
  url,
  changedAt: new Date(updatedAt),
});

export const scope: ScopeDeclaration = {
  fields: [{ id: 'team', label: 'Team', hint: '', kind: 'choice', required: true }],
  async readOptions(access) {
    const teams: { key: string; name: string }[] = [];
    for (let after: string | null = null, pages = 0; pages < 20; pages += 1) {
      const found: { teams: Page<{ key: string; name: string }> } = await ask(access, TEAMS, {
        first: TEAMS_PAGE,
        after,
      });
      teams.push(...found.teams.nodes);
      after = nextOf(found.teams);
      if (after === null) break;
    }
    return { team: teams.map(({ key, name }) => ({ value: key, label: `${key} ${name}` })) };
  },
  describe: ({ team }) => `team ${team}`,
};

export const tickets: TicketSource = {
  async readPage(access, { team }, { since, cursor }) {
    const variables = { filter: filterOf(team, since), first: PAGE, after: cursor };
    const { issues } = await ask<{ issues: Page<Issue> }>(access, ISSUES, variables);
    return { tickets: issues.nodes.map(toTicket), next: nextOf(issues), total: null };
  },
  async readKeys(access, { team }, cursor) {
    const variables = { filter: filterOf(team, null), first: KEYS_PAGE, after: cursor };
    const { issues } = await ask<{ issues: Page<Pick<Issue, 'identifier'>> }>(access, KEYS, variables);
    return { keys: issues.nodes.map(({ identifier }) => identifier), next: nextOf(issues) };
  },
};

import { jiraCard } from '../../../models/contracts/connectors/jira.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { readSites, scope } from './scope.ts';
import { tickets } from './tickets.ts';

/** Jira Cloud: tickets. Atlassian has no address to revoke a grant at; people remove Arc in their Atlassian account. */
export const jira = defineConnector({
  card: jiraCard,
  environment: ['JIRA_CLIENT_ID', 'JIRA_CLIENT_SECRET', 'JIRA_BASE_URL'],
  settings: () => ({
    clientId: env.JIRA_CLIENT_ID,
    clientSecret: env.JIRA_CLIENT_SECRET,
    baseUrl: env.JIRA_BASE_URL,
  }),
  endpoints: { authorize: 'https://auth.atlassian.com/authorize', token: 'https://auth.atlassian.com/oauth/token' },
  hosts: ['api.atlassian.com'],
  clientAuthentication: 'form',
  scopes: { jira: ['read:jira-work', 'offline_access'] },
  consent: { audience: 'api.atlassian.com', prompt: 'consent' },
  async identify(send) {
    const sites = await readSites(send);
    const [first] = sites;
    if (!first) throw new ProviderFailure('refused', 'the grant opens no site');
    return { id: first.id, name: sites.map(({ name }) => name).join(', ') };
  },
  capabilities: ['tickets'],
  scope,
  tickets,
});

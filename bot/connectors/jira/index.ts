import { jiraCard } from '../../../models/contracts/connectors/jira.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { ATLASSIAN, identifySites } from '../atlassianSites.ts';
import { scope } from './scope.ts';
import { tickets } from './tickets.ts';

/** Jira Cloud: tickets. People revoke a grant in their Atlassian account. */
export const jira = defineConnector({
  card: jiraCard,
  environment: ['JIRA_CLIENT_ID', 'JIRA_CLIENT_SECRET', 'JIRA_BASE_URL'],
  settings: () => ({
    clientId: env.JIRA_CLIENT_ID,
    clientSecret: env.JIRA_CLIENT_SECRET,
    baseUrl: env.JIRA_BASE_URL,
  }),
  ...ATLASSIAN,
  scopes: { jira: ['read:jira-work', 'offline_access'] },
  identify: identifySites,
  capabilities: ['tickets'],
  scope,
  tickets,
});

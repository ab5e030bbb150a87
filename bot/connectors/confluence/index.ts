import { confluenceCard } from '../../../models/contracts/connectors/confluence.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { ATLASSIAN, identifySites } from '../atlassianSites.ts';
import { documents } from './documents.ts';
import { scope } from './scope.ts';

/** Confluence Cloud: documents. Its refresh tokens are good once. People revoke a grant in their Atlassian account. */
export const confluence = defineConnector({
  card: confluenceCard,
  environment: ['CONFLUENCE_CLIENT_ID', 'CONFLUENCE_CLIENT_SECRET', 'CONFLUENCE_BASE_URL'],
  settings: () => ({
    clientId: env.CONFLUENCE_CLIENT_ID,
    clientSecret: env.CONFLUENCE_CLIENT_SECRET,
    baseUrl: env.CONFLUENCE_BASE_URL,
  }),
  ...ATLASSIAN,
  scopes: {
    confluence: ['read:space:confluence', 'read:page:confluence', 'write:page:confluence', 'offline_access'],
  },
  identify: identifySites,
  capabilities: ['documents'],
  scope,
  documents,
});

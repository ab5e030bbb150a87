import { notionCard } from '../../../models/contracts/connectors/notion.ts';
import { env } from '../../../models/env.ts';
import { basicAuthorization } from '../../engine/connectors/basicAuthorization.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { get } from './api.ts';
import { documents } from './documents.ts';
import { scope } from './scope.ts';

const VERSION = { 'notion-version': '2025-09-03' };

/**
 * Notion: documents. What Arc may read is chosen on Notion's own page; Notion has no scopes. Its tokens don't say when
 * they expire; one that is refused is renewed where Notion has given a refresh token.
 */
export const notion = defineConnector({
  card: notionCard,
  environment: ['NOTION_CLIENT_ID', 'NOTION_CLIENT_SECRET', 'NOTION_BASE_URL'],
  settings: () => ({
    clientId: env.NOTION_CLIENT_ID,
    clientSecret: env.NOTION_CLIENT_SECRET,
    baseUrl: env.NOTION_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://api.notion.com/v1/oauth/authorize',
    token: 'https://api.notion.com/v1/oauth/token',
  },
  revokeRequest: ({ clientId, clientSecret }, token) => ({
    address: 'https://api.notion.com/v1/oauth/revoke',
    method: 'POST',
    headers: {
      ...VERSION,
      authorization: basicAuthorization(clientId, clientSecret),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ token }),
  }),
  headers: VERSION,
  clientAuthentication: 'plain-header',
  // A token call with another parameter than those that Notion documents is refused.
  hasPkce: false,
  tokenBody: 'json',
  scopes: { notion: [] },
  consent: { owner: 'user' },
  async identify(send) {
    const { id, bot } = await get<{ id: string; bot?: { workspace_name?: string | null } }>({ send }, '/users/me');
    return { id, name: bot?.workspace_name ?? 'Notion' };
  },
  capabilities: ['documents'],
  scope,
  documents,
});

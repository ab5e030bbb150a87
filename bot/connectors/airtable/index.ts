import { airtableCard } from '../../../models/contracts/connectors/airtable.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { API } from './api.ts';
import { crm } from './crm.ts';
import { scope } from './scope.ts';

/** Airtable (https://airtable.com/developers/web/api). It requires PKCE, and takes each refresh token once. */
export const airtable = defineConnector({
  card: airtableCard,
  environment: ['AIRTABLE_CLIENT_ID', 'AIRTABLE_CLIENT_SECRET', 'AIRTABLE_BASE_URL'],
  settings: () => ({
    clientId: env.AIRTABLE_CLIENT_ID,
    clientSecret: env.AIRTABLE_CLIENT_SECRET,
    baseUrl: env.AIRTABLE_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://airtable.com/oauth2/v1/authorize',
    token: 'https://airtable.com/oauth2/v1/token',
    revoke: 'https://airtable.com/oauth2/v1/revoke',
  },
  hosts: ['api.airtable.com'],
  clientAuthentication: 'plain-header',
  scopes: { airtable: ['data.records:read', 'data.records:write', 'schema.bases:read'] },
  async identify(send) {
    const { id } = await readJson<{ id: string }>({ send }, `${API}/meta/whoami`);
    return { id, name: 'Airtable' };
  },
  capabilities: ['crm'],
  scope,
  crm,
});

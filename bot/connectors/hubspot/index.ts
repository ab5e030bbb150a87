import { hubspotCard } from '../../../models/contracts/connectors/hubspot.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { API, listCompanies, listContacts } from './contacts.ts';
import { mails } from './mails.ts';
import { scope } from './scope.ts';

/** HubSpot (https://developers.hubspot.com/docs/api-reference). Its tokens expire after half an hour. */
export const hubspot = defineConnector({
  card: hubspotCard,
  environment: ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET', 'HUBSPOT_BASE_URL'],
  settings: () => ({
    clientId: env.HUBSPOT_CLIENT_ID,
    clientSecret: env.HUBSPOT_CLIENT_SECRET,
    baseUrl: env.HUBSPOT_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://app.hubspot.com/oauth/authorize',
    token: 'https://api.hubapi.com/oauth/2026-03/token',
    revoke: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
  },
  clientAuthentication: 'form',
  // HubSpot documents PKCE for another kind of app alone.
  hasPkce: false,
  scopes: { hubspot: ['oauth', 'crm.objects.contacts.read', 'crm.objects.companies.read', 'crm.lists.read'] },
  // Plans without marketing e-mails don't grant it; the rest works without.
  consent: { optional_scope: 'content' },
  async identify(send) {
    const { portalId } = await readJson<{ portalId: number }>({ send }, `${API}/account-info/v3/details`);
    return { id: String(portalId), name: `HubSpot account ${portalId}` };
  },
  capabilities: ['crm'],
  scope,
  crm: { listContacts, listCompanies, mails },
});

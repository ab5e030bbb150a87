import { salesforceCard } from '../../../models/contracts/connectors/salesforce.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { query, readInstance } from './api.ts';
import { crm, scope } from './crm.ts';

/**
 * Salesforce (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest). Each customer has an instance of
 * its own, which the token answer names. Its tokens don't say when they expire.
 */
export const salesforce = defineConnector({
  card: salesforceCard,
  environment: ['SALESFORCE_CLIENT_ID', 'SALESFORCE_CLIENT_SECRET', 'SALESFORCE_BASE_URL'],
  settings: () => ({
    clientId: env.SALESFORCE_CLIENT_ID,
    clientSecret: env.SALESFORCE_CLIENT_SECRET,
    baseUrl: env.SALESFORCE_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://login.salesforce.com/services/oauth2/authorize',
    token: 'https://login.salesforce.com/services/oauth2/token',
    revoke: 'https://login.salesforce.com/services/oauth2/revoke',
  },
  hosts: ['.salesforce.com'],
  clientAuthentication: 'form',
  scopes: { salesforce: ['api', 'refresh_token'] },
  keptFields: ['instance_url'],
  async identify(send, { instance_url }) {
    const origin = readInstance(instance_url);
    const { records } = await query<{ Id: string; Name: string }>(
      { send, origin },
      'SELECT Id, Name FROM Organization LIMIT 1',
    );
    const [organization] = records;
    if (!organization) throw new ProviderFailure('refused', 'the grant opens no organization');
    return { id: organization.Id, name: organization.Name, origin };
  },
  capabilities: ['crm'],
  scope,
  crm,
});

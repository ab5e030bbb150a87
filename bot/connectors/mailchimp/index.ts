import { mailchimpCard } from '../../../models/contracts/connectors/mailchimp.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { originOf } from './api.ts';
import { crm, scope } from './crm.ts';

const METADATA = 'https://login.mailchimp.com/oauth2/metadata';

/**
 * Mailchimp. Its tokens don't expire and can't be revoked by a call, and it has no scopes; a call for metadata names the
 * account's data centre (https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2).
 */
export const mailchimp = defineConnector({
  card: mailchimpCard,
  environment: ['MAILCHIMP_CLIENT_ID', 'MAILCHIMP_CLIENT_SECRET', 'MAILCHIMP_BASE_URL'],
  settings: () => ({
    clientId: env.MAILCHIMP_CLIENT_ID,
    clientSecret: env.MAILCHIMP_CLIENT_SECRET,
    baseUrl: env.MAILCHIMP_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://login.mailchimp.com/oauth2/authorize',
    token: 'https://login.mailchimp.com/oauth2/token',
  },
  hosts: ['.api.mailchimp.com'],
  clientAuthentication: 'form',
  // Mailchimp does not offer it.
  hasPkce: false,
  tokenScheme: (path) => (path === new URL(METADATA).pathname ? 'OAuth' : 'Bearer'),
  scopes: { mailchimp: [] },
  async identify(send) {
    const { dc, accountname, user_id } = await readJson<{ dc: string; accountname: string; user_id: number }>(
      { send },
      METADATA,
    );
    return { id: String(user_id), name: accountname, origin: originOf(dc) };
  },
  capabilities: ['crm'],
  scope,
  crm,
});

import { linearCard } from '../../../models/contracts/connectors/linear.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { ask } from './graphql.ts';
import { scope, tickets } from './tickets.ts';

/** Linear: tickets. */
export const linear = defineConnector({
  card: linearCard,
  environment: ['LINEAR_CLIENT_ID', 'LINEAR_CLIENT_SECRET', 'LINEAR_BASE_URL'],
  settings: () => ({
    clientId: env.LINEAR_CLIENT_ID,
    clientSecret: env.LINEAR_CLIENT_SECRET,
    baseUrl: env.LINEAR_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://linear.app/oauth/authorize',
    token: 'https://api.linear.app/oauth/token',
    revoke: 'https://api.linear.app/oauth/revoke',
  },
  clientAuthentication: 'form',
  scopes: { linear: ['read'] },
  consent: { prompt: 'consent' },
  async identify(send) {
    const { organization } = await ask<{ organization: { id: string; name: string } }>(
      { send },
      '{ organization { id name } }',
    );
    return organization;
  },
  capabilities: ['tickets'],
  scope,
  tickets,
});

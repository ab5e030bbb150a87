import { githubCard } from '../../../models/contracts/connectors/github.ts';
import { env } from '../../../models/env.ts';
import { basicAuthorization } from '../../engine/connectors/basicAuthorization.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { code } from './code.ts';
import { get, scope, tickets } from './tickets.ts';

/** GitHub: issues as tickets, and where the owner has chosen so the code of the repository. */
export const github = defineConnector({
  card: githubCard,
  environment: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET', 'GITHUB_BASE_URL'],
  settings: () => ({
    clientId: env.GITHUB_CLIENT_ID,
    clientSecret: env.GITHUB_CLIENT_SECRET,
    baseUrl: env.GITHUB_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
  },
  hosts: ['api.github.com'],
  // Not that of RFC 7009: the app deletes its grant, which ends all tokens of it.
  revokeRequest: ({ clientId, clientSecret }, accessToken) => ({
    address: `https://api.github.com/applications/${encodeURIComponent(clientId)}/grant`,
    method: 'DELETE',
    headers: {
      authorization: basicAuthorization(clientId, clientSecret),
      accept: 'application/vnd.github+json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ access_token: accessToken }),
  }),
  clientAuthentication: 'form',
  // An OAuth app has no narrower scope that reads issues of private repositories. It covers code and pull requests too,
  // so these are asked for in the choice of what is read.
  scopes: { github: ['repo'] },
  async identify(send) {
    const { id, login } = (await (await get({ send }, '/user')).json()) as { id: number; login: string };
    return { id: String(id), name: login };
  },
  capabilities: ['tickets', 'code'],
  scope,
  tickets,
  code,
});

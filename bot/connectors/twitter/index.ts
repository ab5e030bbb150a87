import { twitterCard } from '../../../models/contracts/connectors/twitter.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { API, posts } from './posts.ts';

/**
 * X, formerly Twitter (https://docs.x.com/x-api). Its API has no drafts of posts, so Arc asks for no right to write: a
 * prepared post is a link to X's own page.
 */
export const twitter = defineConnector({
  card: twitterCard,
  environment: ['TWITTER_CLIENT_ID', 'TWITTER_CLIENT_SECRET', 'TWITTER_BASE_URL'],
  settings: () => ({
    clientId: env.TWITTER_CLIENT_ID,
    clientSecret: env.TWITTER_CLIENT_SECRET,
    baseUrl: env.TWITTER_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    revoke: 'https://api.x.com/2/oauth2/revoke',
  },
  clientAuthentication: 'plain-header',
  // X calls a refresh token that it does not accept an invalid request.
  tokenErrors: { invalid_request: 'invalid_grant' },
  scopes: { twitter: ['tweet.read', 'users.read', 'offline.access'] },
  async identify(send) {
    const { data } = await readJson<{ data: { id: string; username: string } }>({ send }, `${API}/users/me`);
    return { id: data.id, name: `@${data.username}` };
  },
  capabilities: ['crm'],
  crm: { posts },
});

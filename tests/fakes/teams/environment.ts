import type { FakeTeams } from './server.ts';
import type { Tenant } from './tenant.ts';

/**
 * Environment variables that point a server at the fake instead of Teams. Its own registration is that of one tenant.
 */
export const teamsEnvironment = (teams: FakeTeams, own: Tenant) => ({
  MICROSOFT_APP_ID: own.appId,
  MICROSOFT_APP_PASSWORD: own.secret,
  MICROSOFT_APP_TENANT_ID: own.id,
  BOT_OPENID_METADATA: `${teams.url}/openid`,
  BOT_TOKEN_ISSUER: 'https://api.botframework.com',
  BOT_LOGIN_URL: teams.url,
  BOT_FILE_HOSTS: '127.0.0.1,sharepoint.example',
});

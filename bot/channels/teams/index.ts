import { teamsCard } from '../../../models/contracts/teams/card.ts';
import { defineChannel } from '../../engine/delivery/plugIn.ts';
import { calls } from './calls.ts';
import { TEAMS_PACKAGE, teamsPackage } from './install/appPackage.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const teams = defineChannel({
  card: teamsCard,
  environment: [
    'MICROSOFT_APP_ID',
    'MICROSOFT_APP_PASSWORD',
    'MICROSOFT_APP_TENANT_ID',
    'BOT_OPENID_METADATA',
    'BOT_TOKEN_ISSUER',
    'BOT_LOGIN_URL',
    'BOT_FILE_HOSTS',
  ],
  async open() {
    const { makeTeamsApp } = await import('./app.ts');
    return { serve: makeTeamsApp().router, async stop() {} };
  },
  calls,
  frame: {
    page: '/teams-tab',
    ancestors: [
      'https://teams.microsoft.com',
      'https://*.teams.microsoft.com',
      'https://teams.cloud.microsoft',
      'https://*.teams.cloud.microsoft',
    ],
  },
  manifest: {
    use: `--url https://arc.example.org --app-id GUID --tenant-id GUID [--out ${TEAMS_PACKAGE}]`,
    write({ baseUrl, option }) {
      const [appId = '', tenantId = ''] = [option('--app-id'), option('--tenant-id')];
      if (!GUID.test(appId) || !GUID.test(tenantId)) return null;
      return { bytes: teamsPackage({ appId, tenantId, baseUrl }), out: TEAMS_PACKAGE };
    },
  },
});

import { figmaCard } from '../../../models/contracts/connectors/figma.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { API, design } from './design.ts';
import { scope } from './scope.ts';

const SCOPES = [
  'current_user:read',
  'file_content:read',
  'file_comments:read',
  'file_comments:write',
  'file_dev_resources:read',
  'file_dev_resources:write',
];

/** Figma: design files (https://developers.figma.com/docs/rest-api). It has no call that ends a grant. */
export const figma = defineConnector({
  card: figmaCard,
  environment: ['FIGMA_CLIENT_ID', 'FIGMA_CLIENT_SECRET', 'FIGMA_BASE_URL', 'FIGMA_PRIVATE_APP'],
  settings: () => ({
    clientId: env.FIGMA_CLIENT_ID,
    clientSecret: env.FIGMA_CLIENT_SECRET,
    baseUrl: env.FIGMA_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://www.figma.com/oauth',
    token: 'https://api.figma.com/v1/oauth/token',
    refresh: 'https://api.figma.com/v1/oauth/refresh',
  },
  clientAuthentication: 'plain-header',
  // Figma answers 403 to a token that it has withdrawn, and to what a person may not see.
  tokenRefusals: [401, 403],
  // Figma refuses a public app that asks for the last one.
  scopes: { figma: env.FIGMA_PRIVATE_APP ? [...SCOPES, 'projects:read'] : SCOPES },
  async identify(send) {
    const { id, handle } = await readJson<{ id: string; handle: string }>({ send }, `${API}/me`);
    return { id, name: handle };
  },
  capabilities: ['design'],
  scope,
  design,
});

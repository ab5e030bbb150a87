import { googledriveCard } from '../../../models/contracts/connectors/googledrive.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { documents } from './documents.ts';
import { API, scope } from './files.ts';

/** Reading what the folder holds, and writing files that Arc itself has made: nothing else can be changed. */
const SCOPES = ['https://www.googleapis.com/auth/drive.readonly', 'https://www.googleapis.com/auth/drive.file'];

/** Google Drive, and with the same grant Google Docs: documents. */
export const googledrive = defineConnector({
  card: googledriveCard,
  environment: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'GOOGLE_BASE_URL'],
  settings: () => ({
    clientId: env.GOOGLE_CLIENT_ID,
    clientSecret: env.GOOGLE_CLIENT_SECRET,
    baseUrl: env.GOOGLE_BASE_URL,
  }),
  endpoints: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revoke: 'https://oauth2.googleapis.com/revoke',
  },
  hosts: ['www.googleapis.com'],
  clientAuthentication: 'form',
  scopes: { googledrive: SCOPES, googledocs: SCOPES },
  consent: { access_type: 'offline', prompt: 'consent' },
  async identify(send) {
    const { user } = await readJson<{ user: { permissionId: string; emailAddress: string } }>(
      { send },
      `${API}/drive/v3/about?fields=user(permissionId,emailAddress)`,
    );
    return { id: user.permissionId, name: user.emailAddress };
  },
  capabilities: ['documents'],
  scope,
  documents,
});

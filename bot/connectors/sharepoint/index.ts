import { sharepointCard } from '../../../models/contracts/connectors/sharepoint.ts';
import { env } from '../../../models/env.ts';
import { defineConnector } from '../../engine/connectors/connector.ts';
import { directoryAddress } from '../../engine/connectors/directory.ts';
import { readJson } from '../../engine/connectors/requests.ts';
import { documents } from './documents.ts';
import { GRAPH } from './graph.ts';
import { scope } from './scope.ts';

const DIRECTORY = directoryAddress(env.SHAREPOINT_TENANT_ID);

/**
 * SharePoint, by Microsoft Graph: documents. Microsoft can only end all sessions of a person, so people revoke a grant in
 * their account.
 */
export const sharepoint = defineConnector({
  card: sharepointCard,
  environment: ['SHAREPOINT_CLIENT_ID', 'SHAREPOINT_CLIENT_SECRET', 'SHAREPOINT_TENANT_ID', 'SHAREPOINT_BASE_URL'],
  settings: () => ({
    clientId: env.SHAREPOINT_CLIENT_ID,
    clientSecret: env.SHAREPOINT_CLIENT_SECRET,
    baseUrl: env.SHAREPOINT_BASE_URL,
  }),
  endpoints: { authorize: `${DIRECTORY}/oauth2/v2.0/authorize`, token: `${DIRECTORY}/oauth2/v2.0/token` },
  hosts: ['graph.microsoft.com'],
  clientAuthentication: 'form',
  // Sites can't be listed with a narrower scope, and single ones can only be granted by an administrator.
  scopes: { sharepoint: ['offline_access', 'User.Read', 'Sites.ReadWrite.All'] },
  consent: { prompt: 'select_account' },
  async identify(send) {
    const me = await readJson<{ id: string; userPrincipalName: string }>(
      { send },
      `${GRAPH}/me?$select=id,userPrincipalName`,
    );
    return { id: me.id, name: me.userPrincipalName };
  },
  capabilities: ['documents'],
  scope,
  documents,
});

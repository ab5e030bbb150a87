import {
  type ConnectorPlugIn,
  type ConnectorSettings,
  defineConnector,
} from '../../bot/engine/connectors/connector.ts';
import type { ConnectorCard } from '../../models/contracts/connectorCard.ts';

/** A customer tool that no code of Arc knows, in the way a future connector would add one. */
export const thingsCard: ConnectorCard = {
  id: 'things',
  name: 'Things',
  icon: 'table',
  status: 'working',
  tools: [
    { id: 'things', name: 'Things', description: 'Things and where they are' },
    { id: 'thingnotes', name: 'Thing notes', description: 'Notes on things' },
  ],
  aliases: ['stuff'],
  place: null,
  needs: [],
};

/** Its plug-in, with a deployment's settings. The addresses belong to a provider that does not exist. */
export const defineThings = (settings: ConnectorSettings, changes: Partial<ConnectorPlugIn> = {}): ConnectorPlugIn =>
  defineConnector({
    card: thingsCard,
    environment: [],
    settings: () => settings,
    endpoints: {
      authorize: 'https://things.example/authorize',
      token: 'https://api.things.example/token',
      revoke: 'https://api.things.example/revoke',
    },
    issuer: 'https://things.example',
    clientAuthentication: 'form',
    scopes: { things: ['openid', 'things:read'], thingnotes: ['notes:write'] },
    consent: { prompt: 'consent' },
    async identify(send) {
      return (await send('https://api.things.example/me')).json();
    },
    capabilities: ['documents'],
    ...changes,
  });

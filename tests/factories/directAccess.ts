import type { Access, ConnectorPlugIn } from '../../bot/engine/connectors/connector.ts';
import { makeProvider } from '../../bot/engine/connectors/provider.ts';
import type { FakeProvider } from '../fakes/provider.ts';

/** Access to a fake provider with a valid token, without a server or a store. */
export function directAccess(plugIn: ConnectorPlugIn, fake: Pick<FakeProvider, 'url' | 'client' | 'give'>): Access {
  const settings = () => ({ clientId: fake.client.id, clientSecret: fake.client.secret, baseUrl: fake.url });
  const send = makeProvider({ ...plugIn, settings }).sendWith(fake.give().access_token);
  return { send, place: { id: 'w1', name: 'Quillmere' }, scopes: [] };
}

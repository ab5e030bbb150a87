import type { ConnectorPlugIn } from '../../bot/engine/connectors/connector.ts';
import { connectionTo, registerConnector } from '../../bot/engine/connectors/registry.ts';
import { baseUrl } from '../../models/env.ts';
import { runInAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import type { FakeProvider } from '../fakes/provider.ts';
import type { Person } from './person.ts';
import { consent, returnFromProvider } from './thingsPlace.ts';

type Registered = Pick<FakeProvider, 'url' | 'client'>;

/** Registers a connector of the product with a fake provider that knows this server. */
export function openConnector(plugIn: ConnectorPlugIn, provider: Registered): void {
  provider.client.redirectUris.push(`${baseUrl()}/api/oauth/${plugIn.card.id}/callback`);
  const settings = { clientId: provider.client.id, clientSecret: provider.client.secret, baseUrl: provider.url };
  registerConnector({ ...plugIn, settings: () => settings });
}

/** Connects a tool from start to finish. @returns the page that the person sees */
export const connectTool = async (person: Person, service: string): Promise<string> =>
  returnFromProvider(person, await consent(person, service));

/** Does something with a person's grant of a tool, in the account's context. */
export const withAccess = <T>(
  { user }: Person,
  service: string,
  work: (access: Awaited<ReturnType<NonNullable<ReturnType<typeof connectionTo>>['openAccess']>>) => Promise<T>,
): Promise<T> =>
  runInAccount(user.accountId, () =>
    requireRow(connectionTo(service) ?? null).use(user.accountId, (access) => work(access)),
  );

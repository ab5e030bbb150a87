import { AppError } from '../../../models/contracts/errors.ts';
import { readIntegrations } from '../accounts/integrations.ts';
import { connectionTo, plugInOf, registeredConnectors } from '../connectors/registry.ts';

/** A connector whose tickets can be read. @throws AppError not_found */
export function requireTracker(service: string) {
  const plugIn = plugInOf(service);
  const connection = connectionTo(service);
  if (!plugIn?.tickets || !plugIn.scope || !connection) throw new AppError('not_found');
  const { card, tickets, scope } = plugIn;
  return { id: card.id, name: card.name, source: tickets, scope, connection };
}

/** A tracker of this deployment, and whether an account has connected it and switched it on. */
type KnownTracker = { id: string; name: string; isOn: boolean };

/** Every tracker that this deployment has credentials for. */
export async function readTrackers(accountId: number): Promise<KnownTracker[]> {
  const states = await readIntegrations(accountId);
  return registeredConnectors().flatMap(({ card: { id, name }, tickets }) =>
    tickets ? [{ id, name, isOn: Boolean(states[id]?.authenticated && states[id].enabled) }] : [],
  );
}

import { readIntegrations } from '../accounts/integrations.ts';
import type { ConnectorPlugIn, ScopeValues } from './connector.ts';
import { connectionTo, registeredConnectors } from './registry.ts';
import { readScopeValues } from './scope.ts';

type Connection = NonNullable<ReturnType<typeof connectionTo>>;
type Source = 'design' | 'code';

/** A connected tool that can do something, with what of it was chosen. */
export type ConnectedTool<S extends Source> = {
  id: string;
  name: string;
  source: NonNullable<ConnectorPlugIn[S]>;
  /** Null where nothing was chosen. */
  values: ScopeValues | null;
  connection: Connection;
};

/** An account's connected tool that can do something and is switched on; null where it has none. */
export async function findTool<S extends Source>(accountId: number, kind: S): Promise<ConnectedTool<S> | null> {
  const states = await readIntegrations(accountId);
  for (const { card, [kind]: source } of registeredConnectors()) {
    const connection = connectionTo(card.id);
    if (!source || !connection || !states[card.id]?.authenticated || !states[card.id]?.enabled) continue;
    const values = await readScopeValues(accountId, card.id);
    return { id: card.id, name: card.name, source: source as ConnectedTool<S>['source'], values, connection };
  }
  return null;
}

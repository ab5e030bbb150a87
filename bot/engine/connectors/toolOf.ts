import { readIntegrations } from '../accounts/integrations.ts';
import type { ConnectorPlugIn, ScopeValues } from './connector.ts';
import { connectionTo, registeredConnectors } from './registry.ts';
import { readScopeValues } from './scope.ts';

type Connection = NonNullable<ReturnType<typeof connectionTo>>;
type Source = 'design' | 'code' | 'crm';

/** A connected tool that can do something, with what of it was chosen. */
export type ConnectedTool<S extends Source> = {
  id: string;
  name: string;
  source: NonNullable<ConnectorPlugIn[S]>;
  /** Null where nothing was chosen. */
  values: ScopeValues | null;
  connection: Connection;
};

/** Every connected tool of an account that can do something and is switched on, in the order of the cards. */
export async function findTools<S extends Source>(accountId: number, kind: S): Promise<ConnectedTool<S>[]> {
  const able = registeredConnectors().filter(({ [kind]: source }) => source);
  if (able.length === 0) return [];
  const states = await readIntegrations(accountId);
  const found: ConnectedTool<S>[] = [];
  for (const { card, [kind]: source } of able) {
    const connection = connectionTo(card.id);
    if (!source || !connection || !states[card.id]?.authenticated || !states[card.id]?.enabled) continue;
    const values = await readScopeValues(accountId, card.id);
    found.push({ id: card.id, name: card.name, source: source as ConnectedTool<S>['source'], values, connection });
  }
  return found;
}

/** An account's connected tool that can do something and is switched on; null where it has none. */
export const findTool = async <S extends Source>(accountId: number, kind: S): Promise<ConnectedTool<S> | null> =>
  (await findTools(accountId, kind))[0] ?? null;

import { AppError } from '../../../models/contracts/errors.ts';
import { connectionTo, plugInOf } from '../connectors/registry.ts';

/** A connector whose tickets can be read. @throws AppError not_found */
export function requireTracker(service: string) {
  const plugIn = plugInOf(service);
  const connection = connectionTo(service);
  if (!plugIn?.tickets || !plugIn.scope || !connection) throw new AppError('not_found');
  const { card, tickets, scope } = plugIn;
  return { id: card.id, name: card.name, source: tickets, scope, connection };
}

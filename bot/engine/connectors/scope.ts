import { ConnectorScope, type ConnectorScopeRow } from '../../../models/connectorScope.ts';
import type { ConnectorScopeView, ScopeOption } from '../../../models/contracts/connectorScope.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { TicketReading } from '../../../models/ticketReading.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import type { ScopeDeclaration, ScopeValues } from './connector.ts';
import { eraseWhatWasRead } from './eraseWhatWasRead.ts';
import { connectionTo, plugInOf } from './registry.ts';

/** A connector of which people choose what is read. @throws AppError not_found */
function requireScoped(service: string) {
  const plugIn = plugInOf(service);
  const connection = connectionTo(service);
  if (!plugIn?.scope || !connection) throw new AppError('not_found');
  return { id: plugIn.card.id, scope: plugIn.scope, connection };
}

/** The choice of what is read from a connector; null where there is none. */
export const readChoice = (accountId: number, connector: string): Promise<ConnectorScopeRow | null> =>
  ConnectorScope.findOne({ accountId, connector }).lean();

/** What was chosen to be read from a connector; null where nothing was. */
export const readScopeValues = async (accountId: number, connector: string): Promise<ScopeValues | null> =>
  (await readChoice(accountId, connector))?.values ?? null;

type Options = Record<string, ScopeOption[]>;

async function view(
  accountId: number,
  id: string,
  scope: ScopeDeclaration,
  options: Options | null,
): Promise<ConnectorScopeView> {
  const [values, reading] = await Promise.all([
    readScopeValues(accountId, id),
    TicketReading.findOne({ accountId, connector: id }).lean(),
  ]);
  return {
    service: id,
    text: values && scope.describe(values),
    fields: scope.fields.map((field) => ({
      ...field,
      value: ownEntry(values ?? {}, field.id) ?? '',
      options: field.kind === 'choice' ? (options?.[field.id]?.slice(0, LIMITS.connectors.options) ?? null) : null,
    })),
    read: reading?.readAt ? { count: reading.count, at: reading.readAt.toISOString() } : null,
  };
}

/**
 * What is read from a connector. Whoever may change it also gets what there is to choose from, as the provider answers
 * now.
 * @throws AppError not_found for a connector without a choice, not_configured where it is not connected,
 *   provider_unavailable
 */
export async function readScope(who: Who, service: string): Promise<ConnectorScopeView> {
  const { id, scope, connection } = requireScoped(service);
  const options = may(who, 'integration.connect') ? await connection.use(who.accountId, scope.readOptions) : null;
  return view(who.accountId, id, scope, options);
}

/** What is wrong with given values, by field. */
function faultsOf({ fields, faultsOf: own }: ScopeDeclaration, values: ScopeValues, options: Options) {
  const faults: Record<string, string> = {};
  for (const { id, kind, required } of fields) {
    const value = values[id] ?? '';
    if (value === '' && required) faults[id] = 'Choose one.';
    else if (value !== '' && kind === 'choice' && !options[id]?.some((one) => one.value === value))
      faults[id] = 'This is not one of the options.';
  }
  return { ...own?.(values), ...faults };
}

/**
 * Chooses what is read from a connector. What was read by another choice is deleted.
 * @throws AppError not_allowed, bad_request with the fields at fault, and those of {@link readScope}
 */
export async function saveScope(who: Who, service: string, given: ScopeValues): Promise<ConnectorScopeView> {
  if (!may(who, 'integration.connect')) throw new AppError('not_allowed');
  const { id, scope, connection } = requireScoped(service);
  const { accountId } = who;
  const values = Object.fromEntries(
    scope.fields.map((field) => [field.id, (ownEntry(given, field.id) ?? '').trim()] as const),
  );
  const options = await connection.use(accountId, scope.readOptions);
  const faults = faultsOf(scope, values, options);
  if (Object.keys(faults).length > 0) throw new AppError('bad_request', {}, { fields: faults });
  const before = await readScopeValues(accountId, id);
  const isSame = before !== null && scope.fields.every((field) => (before[field.id] ?? '') === values[field.id]);
  if (!isSame) {
    await recordEvent(accountId, 'integration.scope-changed', {
      userId: who.userId,
      subject: `integration:${id}`,
      outcome: 'changed',
    });
    await changing(accountId, ['integrations'], async () => {
      await eraseWhatWasRead(accountId, id);
      const chosen = { values, setBy: who.userId, setAt: new Date() };
      await ConnectorScope.updateOne({ accountId, connector: id }, { $set: chosen }, { upsert: true });
    });
  }
  return view(accountId, id, scope, options);
}

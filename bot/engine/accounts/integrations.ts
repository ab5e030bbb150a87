import { CHANNELS } from '../../../models/contracts/channels.ts';
import { type ConnectorCard, missingText } from '../../../models/contracts/connectorCard.ts';
import { findConnector, serviceNamesOf } from '../../../models/contracts/connectors.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Integration } from '../../../models/contracts/integration.ts';
import { INTEGRATIONS, type IntegrationState, integrationIdOf } from '../../../models/contracts/integrations.ts';
import { toolStatus } from '../../../models/contracts/tools.ts';
import { isConfigured } from '../../../models/env.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';
import { changing } from '../../../models/store/revisions.ts';
import { recordEvent } from '../audit/recordEvent.ts';

type Named = Pick<Integration, 'id' | 'name'>;

/** Built-in integrations: no connection, only a switch. */
const BUILT_IN = new Set(['arc-chat', 'sandbox']);

/** Connectors that this deployment has credentials for, by id; some are on no screen. */
const offered = new Map<string, ConnectorCard>();

/** Registers an integration that can be connected in this deployment. */
export function offerIntegration(card: ConnectorCard): void {
  offered.set(card.id, card);
}

/** The stored id for a service name in a call. */
export const keptIdOf = (service: string): string =>
  [...offered.values()].find((card) => serviceNamesOf(card).includes(service))?.id ?? integrationIdOf(service);

/** Every integration that can be asked for; those on screens first, in display order. */
const allIntegrations = (): Named[] => [
  ...INTEGRATIONS,
  ...[...offered.values()].filter(({ id }) => INTEGRATIONS.every((it) => it.id !== id)),
];

/** Whether an integration needs no credentials, or the deployment has them. */
const isReady = (id: string) =>
  BUILT_IN.has(id) || offered.has(id) || CHANNELS.some((card) => card.id === id && card.isRemote && isConfigured(card));

const readSettings = rememberPerAccount(['integrations'], (accountId) => IntegrationSetting.find({ accountId }).lean());

/** The message where the deployment has no credentials for a service. */
export const notConfiguredText = (name: string, needs: readonly string[] = []) =>
  `${name} is not configured on this server. ${needs.length > 0 ? missingText({ needs }) : 'An administrator has to set its credentials first.'}`;

/** The state of every integration, including those without a stored setting. */
export async function readIntegrations(accountId: number): Promise<Record<string, IntegrationState>> {
  const rows = await readSettings(accountId);
  const byId = new Map(rows.map((row) => [row.integrationId, row]));
  const states: Record<string, IntegrationState> = {};
  for (const { id } of allIntegrations()) {
    const row = byId.get(id);
    states[id] = {
      authenticated: BUILT_IN.has(id) || (row?.authenticated ?? false),
      enabled: row?.enabled ?? false,
      error: row?.error ?? null,
      configured: isReady(id),
    };
  }
  if (hasRealWorkspace(states)) delete states.sandbox;
  return states;
}

/** Whether a workspace other than the sandbox is connected; the sandbox is then not offered. */
function hasRealWorkspace(states: Record<string, IntegrationState>): boolean {
  const real = INTEGRATIONS.filter((it) => it.documentation && it.id !== 'sandbox');
  return real.some(({ id }) => states[id]?.authenticated);
}

/** Whether an integration is on for the account, e.g. arc-chat. */
export async function isEnabled(accountId: number, integrationId: string): Promise<boolean> {
  const rows = await readSettings(accountId);
  return rows.some((row) => row.integrationId === integrationId && row.enabled);
}

/** Saves that an integration was connected (which also enables it) or disconnected. */
export async function noteConnection(
  accountId: number,
  integrationId: string,
  connected: boolean,
  error: string | null = null,
): Promise<void> {
  await changing(accountId, ['integrations', 'account'], () =>
    IntegrationSetting.updateOne(
      { accountId, integrationId },
      { $set: { authenticated: connected, error, ...(connected ? { enabled: true } : {}) } },
      { upsert: true },
    ),
  );
}

/**
 * Switches an integration on or off.
 * @throws AppError not_allowed, bad_request for an unknown one, not_available for the sandbox beside a real workspace,
 *   in_preparation, not_configured where it is not connected
 */
export async function toggleIntegration(who: Who, givenId: string, enabled: boolean): Promise<string> {
  const { accountId } = who;
  if (!may(who, 'integration.toggle')) throw new AppError('not_allowed');
  const id = keptIdOf(givenId);
  const integration = allIntegrations().find((it) => it.id === id);
  if (!integration)
    throw new AppError('bad_request', {}, { fields: { integrationId: 'There is no such integration.' } });
  const state = (await readIntegrations(accountId))[id];
  if (!state) {
    throw new AppError('not_available', {
      text: 'A real workspace is connected, so the sandbox workspace is not offered any more.',
    });
  }
  if (enabled && !state.configured && toolStatus(id) === 'in-preparation')
    throw new AppError('in_preparation', {
      what: `The connection to ${integration.name}`,
      instead: 'Keep documents in the sandbox workspace meanwhile.',
    });
  if (enabled && !state.authenticated) {
    throw new AppError('not_configured', {
      text: state.configured
        ? `${integration.name} is not connected yet. Connect it first.`
        : notConfiguredText(integration.name, findConnector(id)?.needs),
    });
  }
  if (state.enabled !== enabled)
    await recordEvent(accountId, 'integration.switched', {
      userId: who.userId,
      subject: `integration:${id}`,
      outcome: enabled ? 'on' : 'off',
    });
  await changing(accountId, ['integrations', 'account'], () =>
    IntegrationSetting.updateOne({ accountId, integrationId: id }, { $set: { enabled } }, { upsert: true }),
  );
  return id;
}

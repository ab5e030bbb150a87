import { AppError } from '../../../models/contracts/errors.ts';
import {
  INTEGRATIONS,
  type Integration,
  type IntegrationState,
  integrationIdOf,
} from '../../../models/contracts/integrations.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { changing } from '../../../models/store/revisions.ts';

/** Integrations that are part of the product: nothing to connect, only a switch. */
const BUILT_IN = new Set(['arc-chat', 'sandbox']);
/** Which of them need credentials of the deployment; none is configured until its connector is built. */
const isConfigured = (id: string) => BUILT_IN.has(id);

/** Every integration of the account, whether it has ever been touched or not. */
export async function readIntegrations(accountId: number): Promise<Record<string, IntegrationState>> {
  const rows = await IntegrationSetting.find({ accountId }).lean();
  const byId = new Map(rows.map((row) => [row.integrationId, row]));
  const states: Record<string, IntegrationState> = {};
  for (const { id } of INTEGRATIONS) {
    const row = byId.get(id);
    states[id] = {
      authenticated: BUILT_IN.has(id) || (row?.authenticated ?? false),
      enabled: row?.enabled ?? false,
      error: row?.error ?? null,
      configured: isConfigured(id),
    };
  }
  return states;
}

/** The rule of the integrations step: one documentation workspace and one channel, each connected and on. */
export function integrationsReady(states: Record<string, IntegrationState>): boolean {
  const on = (it: Integration) => states[it.id]?.enabled === true && states[it.id]?.authenticated === true;
  return INTEGRATIONS.some((it) => it.documentation && on(it)) && INTEGRATIONS.some((it) => it.channel && on(it));
}

/** Whether arc-chat is on for the account. */
export async function chatEnabled(accountId: number): Promise<boolean> {
  const row = await IntegrationSetting.findOne({ accountId, integrationId: 'arc-chat' }).lean();
  return row?.enabled === true;
}

/**
 * Switches an integration.
 * @throws AppError bad_request for an unknown one, not_configured where there is nothing to switch on yet
 */
export async function toggleIntegration(accountId: number, givenId: string, enabled: boolean): Promise<string> {
  const id = integrationIdOf(givenId);
  const integration = INTEGRATIONS.find((it) => it.id === id);
  if (!integration)
    throw new AppError('bad_request', {}, { fields: { integrationId: 'There is no such integration.' } });
  const state = (await readIntegrations(accountId))[id];
  if (enabled && !state?.authenticated) {
    throw new AppError('not_configured', {
      text: state?.configured
        ? `${integration.name} is not connected yet. Connect it first.`
        : `${integration.name} is not configured on this server. An administrator has to set its credentials first.`,
    });
  }
  await changing(accountId, ['integrations', 'account'], () =>
    IntegrationSetting.updateOne({ accountId, integrationId: id }, { $set: { enabled } }, { upsert: true }),
  );
  return id;
}

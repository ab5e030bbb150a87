import { mutate } from 'swr';
import { onboardingStatus } from '../../models/contracts/account.ts';
import { type AgentId, isAgentId } from '../../models/contracts/catalogueAgent.ts';
import { channelOfIntegration } from '../../models/contracts/channels.ts';
import type { Integration } from '../../models/contracts/integration.ts';
import { type IntegrationState, oauthStatusAll, toggleIntegration } from '../../models/contracts/integrations.ts';
import { POLLS } from '../../models/contracts/limits.ts';
import { disconnect as disconnectTool } from '../../models/contracts/oauth.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** The state of every integration by id. */
export function useIntegrations(signedIn: boolean) {
  return useCall(oauthStatusAll, signedIn ? {} : null, { poll: POLLS.toolStatus });
}

export type ConnectionState = 'connected' | 'not_connected' | 'error';

/** The status of an integration (docs/spec-coverage.md, S2 section 4). */
export function connectionOf(integration: Integration, state: IntegrationState | undefined): ConnectionState {
  if (!state) return 'not_connected';
  const channel = channelOfIntegration(integration.id);
  // There is no sign-in for these: the switch decides.
  if (channel ? !channel.integration.oauthUrl : integration.id === 'sandbox') {
    return state.enabled ? 'connected' : 'not_connected';
  }
  if (channel && state.error) return 'error';
  if (state.authenticated) return 'connected';
  return state.error ? 'error' : 'not_connected';
}

/** The last change sent. Changes are sent one after another: two on their way at once could arrive in either order. */
let sent: Promise<unknown> = Promise.resolve();

/** Waits until every switch that was moved is saved or refused. */
export async function whenSwitched(): Promise<void> {
  await sent;
}

/** Enables or disables an integration. The switch moves at once and back if the server refuses. */
export async function setIntegrationEnabled(integrationId: string, enabled: boolean): Promise<void> {
  const key = urlOf(oauthStatusAll);
  type All = Record<string, IntegrationState>;
  await mutate<All | undefined>(
    key,
    async () => {
      const saved = sent.then(() => call(toggleIntegration, { body: { integrationId, enabled } }));
      sent = saved.catch(() => undefined);
      await saved;
      return undefined;
    },
    {
      populateCache: false,
      // What is shown, not what was read: the switches that moved a moment ago stay where they are.
      optimisticData: (_read, shown) => {
        const before = shown?.[integrationId];
        return before ? { ...shown, [integrationId]: { ...before, enabled } } : (shown ?? {});
      },
      rollbackOnError: true,
      revalidate: true,
    },
  );
  await mutate(urlOf(onboardingStatus));
}

/** Disconnects a tool. @returns whether its provider revoked the access */
export async function disconnect(service: string): Promise<boolean> {
  const { revoked } = await call(disconnectTool, { params: { service } });
  await Promise.all([mutate(urlOf(oauthStatusAll)), mutate(urlOf(onboardingStatus))]);
  return revoked;
}

const PENDING = 'arc.pendingToggle';

/** The tool to switch on when the browser returns from the provider. */
type PendingToggle = { tool: string; agent: AgentId | null; timestamp: number };

/** Remembers what to switch on after connecting. */
export function rememberToggle(tool: string, agent: AgentId | null): void {
  localStorage.setItem(PENDING, JSON.stringify({ tool, agent, timestamp: Date.now() } satisfies PendingToggle));
}

/** The remembered tool; null if there is none or it can't be parsed. */
export function pendingToggle(): PendingToggle | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PENDING) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('tool' in kept) || !('agent' in kept)) return null;
    const { tool, agent } = kept;
    if (typeof tool !== 'string' || !(agent === null || isAgentId(agent))) return null;
    return { tool, agent, timestamp: 'timestamp' in kept ? Number(kept.timestamp) : 0 };
  } catch {
    return null;
  }
}

/** Forgets the remembered tool. */
export function clearPendingToggle(): void {
  localStorage.removeItem(PENDING);
}

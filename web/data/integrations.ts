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

/** Every integration: connected, enabled, configured. */
export function useIntegrations(signedIn: boolean) {
  return useCall(oauthStatusAll, signedIn ? {} : null, { poll: POLLS.toolStatus });
}

export type ConnectionState = 'connected' | 'not_connected' | 'error';

/** The status an integration shows: specification 2, section 4. */
export function connectionOf(integration: Integration, state: IntegrationState | undefined): ConnectionState {
  if (!state) return 'not_connected';
  const channel = channelOfIntegration(integration.id);
  // Nothing is signed in to: the switch decides.
  if (channel ? !channel.integration.oauthUrl : integration.id === 'sandbox') {
    return state.enabled ? 'connected' : 'not_connected';
  }
  if (channel && state.error) return 'error';
  if (state.authenticated) return 'connected';
  return state.error ? 'error' : 'not_connected';
}

/** Switches an integration; the switch moves at once and goes back if the server refuses. */
export async function toggle(integrationId: string, enabled: boolean): Promise<void> {
  const key = urlOf(oauthStatusAll);
  type All = Record<string, IntegrationState>;
  await mutate<All | undefined>(
    key,
    async () => {
      await call(toggleIntegration, { body: { integrationId, enabled } });
      return undefined;
    },
    {
      populateCache: false,
      optimisticData: (all) => {
        const before = all?.[integrationId];
        return before ? { ...all, [integrationId]: { ...before, enabled } } : (all ?? {});
      },
      rollbackOnError: true,
      revalidate: true,
    },
  );
  await mutate(urlOf(onboardingStatus));
}

/** Disconnects a tool. @returns whether its provider has taken the access back */
export async function disconnect(service: string): Promise<boolean> {
  const { revoked } = await call(disconnectTool, { params: { service } });
  await Promise.all([mutate(urlOf(oauthStatusAll)), mutate(urlOf(onboardingStatus))]);
  return revoked;
}

const PENDING = 'arc.pendingToggle';

/** What was to be switched on when the browser went to the provider. */
type PendingToggle = { tool: string; agent: AgentId | null; timestamp: number };

/** Remembers what to switch on after connecting. */
export function rememberToggle(tool: string, agent: AgentId | null): void {
  localStorage.setItem(PENDING, JSON.stringify({ tool, agent, timestamp: Date.now() } satisfies PendingToggle));
}

/** What was remembered; what can't be read counts as nothing. */
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

/** Forgets it, once done. */
export function clearPendingToggle(): void {
  localStorage.removeItem(PENDING);
}

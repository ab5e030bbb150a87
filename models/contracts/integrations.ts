import { z } from 'zod';
import type { ChannelCard } from './channelCard.ts';
import { CHANNELS } from './channels.ts';
import type { ConnectorCard } from './connectorCard.ts';
import { authorizePathOf, CONNECTORS, findConnector } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { INTEGRATION_CATEGORIES, type Integration } from './integration.ts';

/** The built-in workspace, offered while no documentation workspace is connected. */
const SANDBOX: Integration = {
  id: 'sandbox',
  name: 'Sandbox workspace',
  icon: 'archive',
  description: 'Documents kept in Arc. Stands in until a real workspace is connected.',
  category: 'Documentation and Process',
  documentation: true,
};

const ofConnectors = CONNECTORS.flatMap((card: ConnectorCard): Integration[] => {
  const { id, name, icon, place } = card;
  return place ? [{ id, name, icon, ...place, oauthUrl: authorizePathOf(card) }] : [];
});
const ofChannels = CHANNELS.map(
  ({ integration: { aliases: _aliases, ...shown } }: ChannelCard): Integration => ({
    ...shown,
    category: 'Communication',
    channel: true,
  }),
);

/** Every integration that the setup step and the integrations screen list. */
export const INTEGRATIONS: readonly Integration[] = INTEGRATION_CATEGORIES.flatMap((category) =>
  [SANDBOX, ...ofConnectors, ...ofChannels].filter((it) => it.category === category),
);

const channelIntegrations: readonly ChannelCard['integration'][] = CHANNELS.map(({ integration }) => integration);

/** The stored id for a name in a call: a connector by any of its names, a channel by its alias. */
export function integrationIdOf(id: string): string {
  return findConnector(id)?.id ?? channelIntegrations.find(({ aliases }) => aliases.includes(id))?.id ?? id;
}

const integrationState = z.object({
  authenticated: z.boolean(),
  enabled: z.boolean(),
  error: z.string().nullable(),
  /** False where the deployment has no credentials for it. */
  configured: z.boolean(),
});
export type IntegrationState = z.infer<typeof integrationState>;

/**
 * The requirement of the onboarding's integrations step: one documentation workspace and one channel, each connected
 * and enabled.
 */
export function integrationsReady(states: Record<string, IntegrationState>): boolean {
  const on = (it: Integration) => states[it.id]?.enabled === true && states[it.id]?.authenticated === true;
  return INTEGRATIONS.some((it) => it.documentation && on(it)) && INTEGRATIONS.some((it) => it.channel && on(it));
}

export const oauthStatusAll = endpoint({
  method: 'get',
  path: '/api/oauth/status/all',
  summary: 'Every integration: connected, enabled, configured',
  policy: 'signed-in',
  answer: z.record(z.string(), integrationState),
});

export const oauthStatus = endpoint({
  method: 'get',
  path: '/api/oauth/status/:service',
  summary: 'One integration or tool',
  policy: 'signed-in',
  params: z.object({ service: z.string() }),
  answer: integrationState,
});

export const toggleIntegration = endpoint({
  method: 'post',
  path: '/api/integrations/toggle',
  summary: 'Switch an integration on or off for the account',
  policy: 'signed-in',
  body: z.object({ integrationId: z.string().min(1), enabled: z.boolean() }),
  answer: z.object({ success: z.literal(true), integrationId: z.string(), enabled: z.boolean() }),
});

import type { Recipient } from '../../../models/contracts/auth.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';
import { CONNECTORS } from '../../../models/contracts/connectors.ts';
import { baseUrl, type Environment, env, isConfigured } from '../../../models/env.ts';
import { mailConfigured } from '../mail/sendMail.ts';

const PROVIDERS = { openai: 'OpenAI', azure: 'Microsoft Azure OpenAI', anthropic: 'Anthropic' } as const;

const MCP_KINDS = { uk: 'tool-servers-uk', 'outside-uk-accepted': 'tool-servers' } as const;

/** Tools of customers that can be connected once the deployment has their credentials. */
const cards: readonly ConnectorCard[] = CONNECTORS;
const WORKING = cards.filter(({ status, needs }) => status === 'working' && needs.length > 0);

/** The host of an address; empty where it has none. */
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '');

function modelName({ MODEL_PROVIDER: provider, MODEL_BASE_URL: address }: Environment): string {
  return provider === '' || provider === 'openai-compatible' ? hostOf(address) : PROVIDERS[provider];
}

/** Who receives data from this deployment, by its configuration. */
export function readRecipients(from = env): Recipient[] {
  return [
    { kind: 'hosting', name: hostOf(baseUrl(from)) },
    ...(from.MODEL_PROVIDER ? [{ kind: 'model' as const, name: modelName(from) }] : []),
    ...CHANNELS.flatMap((card) =>
      card.isRemote && isConfigured(card, from) ? [{ kind: card.id, name: card.name }] : [],
    ),
    ...WORKING.flatMap(({ name, needs }) =>
      isConfigured({ needs: needs as (keyof Environment)[] }, from) ? [{ kind: 'connector' as const, name }] : [],
    ),
    ...(from.MCP_REGION ? [{ kind: MCP_KINDS[from.MCP_REGION], name: 'MCP servers' }] : []),
    ...(mailConfigured(from) ? [{ kind: 'mail' as const, name: hostOf(from.SMTP_URL) }] : []),
  ];
}

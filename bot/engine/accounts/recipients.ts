import type { Recipient } from '../../../models/contracts/auth.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import { baseUrl, type Environment, env, isConfigured } from '../../../models/env.ts';
import { mailConfigured } from '../mail/sendMail.ts';

const PROVIDERS = { openai: 'OpenAI', azure: 'Microsoft Azure OpenAI', anthropic: 'Anthropic' } as const;

const MCP_KINDS = { uk: 'tool-servers-uk', 'outside-uk-accepted': 'tool-servers' } as const;

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
    ...(from.MCP_REGION ? [{ kind: MCP_KINDS[from.MCP_REGION], name: 'MCP servers' }] : []),
    ...(mailConfigured(from) ? [{ kind: 'mail' as const, name: hostOf(from.SMTP_URL) }] : []),
  ];
}

import type { Recipient } from '../../../models/contracts/auth.ts';
import { baseUrl, env, slackConfigured, teamsConfigured } from '../../../models/env.ts';
import { mailConfigured } from '../mail/sendMail.ts';

const PROVIDERS = { openai: 'OpenAI', azure: 'Microsoft Azure OpenAI', anthropic: 'Anthropic' } as const;

/** The host of an address; empty where it has none. */
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '');

function modelName(): string {
  const { MODEL_PROVIDER: provider, MODEL_BASE_URL: address } = env;
  return provider === '' || provider === 'openai-compatible' ? hostOf(address) : PROVIDERS[provider];
}

/** Who gets data from this deployment, by what is configured. */
export function readRecipients(): Recipient[] {
  return [
    { kind: 'hosting', name: hostOf(baseUrl()) },
    ...(env.MODEL_PROVIDER ? [{ kind: 'model' as const, name: modelName() }] : []),
    ...(slackConfigured() ? [{ kind: 'slack' as const, name: 'Slack' }] : []),
    ...(teamsConfigured() ? [{ kind: 'teams' as const, name: 'Microsoft Teams' }] : []),
    ...(mailConfigured() ? [{ kind: 'mail' as const, name: hostOf(env.SMTP_URL) }] : []),
  ];
}

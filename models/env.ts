import { z } from 'zod';
import { CHANNELS } from './contracts/channels.ts';
import type { ConnectorCard } from './contracts/connectorCard.ts';
import { CONNECTORS } from './contracts/connectors.ts';
import { publicModelHost } from './contracts/publicModels.ts';

const flag = z
  .enum(['', 'true', 'false', '1', '0'])
  .default('')
  .transform((it) => (it === '' ? undefined : it === 'true' || it === '1'));
const text = z.string().trim().default('');
const listOf = (it: string) =>
  it
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean);
const list = text.transform(listOf);
const httpUrl = text.refine((it) => it === '' || /^https?:\/\/[^\s]+$/.test(it), 'must be an http(s) address');

/** Plain http is accepted for loopback addresses only: tokens and secrets are sent to these URLs. */
const providerUrl = httpUrl.refine((it) => {
  if (!it.startsWith('http://')) return true;
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(it).hostname);
}, 'must be https, or http to a loopback address');

/** OWASP's minimum memory for argon2id with two passes: 19 MiB. */
export const SAFE_PASSWORD_MEMORY_KIB = 19_456;

/** Every variable the product reads, with its default. `.env.example` lists the same; a test holds the two together. */
export const variables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  /** Address to listen on. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The public URL; cookies are Secure when it is https. */
  BASE_URL: httpUrl,
  /** Number of proxies in front, or true. */
  TRUST_PROXY: text,
  METRICS_TOKEN: text,
  /** Collector of traces (OTLP over HTTP); empty means none. The library reads the headers itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_SERVICE_NAME: z.string().trim().default('arc'),
  /** Directory of the embedded store and the generated keys. */
  DATA_DIR: z.string().default('.data'),
  /** A MongoDB; empty means the embedded store. */
  MONGODB_URI: text.refine((it) => it === '' || /^mongodb(\+srv)?:\/\//.test(it), 'must begin with mongodb://'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  SESSION_SECRET: text,
  ENCRYPTION_KEY: text,
  /** Retired keys: they decrypt what they encrypted and encrypt nothing new. */
  ENCRYPTION_KEYS_RETIRED: list,
  ADMIN_EMAILS: list,
  /** Days of a new account's trial; 0 for a server on which nothing ends. */
  TRIAL_DAYS: z.coerce.number().int().min(0).max(3650).default(14),
  /** E-mail or page of whoever runs the server: on the legal pages, and where a trial is over. */
  LEGAL_CONTACT: text.refine(
    (it) => it === '' || /^(https?:\/\/\S+|[^\s@]+@[^\s@]+)$/.test(it),
    'must be an e-mail or an address',
  ),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  PATIENCE_FACTOR: z.coerce.number().min(0.1).max(10).default(1),
  /** Memory per password hash, in KiB: it sets the cost of guessing. */
  PASSWORD_MEMORY_KIB: z.coerce.number().int().min(8).max(1_048_576).default(SAFE_PASSWORD_MEMORY_KIB),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MODEL_PROVIDER: z.enum(['', 'openai', 'azure', 'anthropic', 'openai-compatible']).default(''),
  MODEL_NAME: text,
  /** A second model of the same provider (for Azure a deployment), asked where the first does not answer. */
  MODEL_FALLBACK_NAME: text,
  MODEL_REGION: z.enum(['', 'uk', 'outside-uk-accepted']).default(''),
  MODEL_BASE_URL: providerUrl,
  /** Where MCP servers that owners allow may be; empty means that none can be used. */
  MCP_REGION: z.enum(['', 'uk', 'outside-uk-accepted']).default(''),
  OPENAI_API_KEY: text,
  ANTHROPIC_API_KEY: text,
  AZURE_OPENAI_API_KEY: text,
  AZURE_OPENAI_RESOURCE: text,
  AZURE_OPENAI_DEPLOYMENT: text,
  SMTP_URL: text.refine((it) => it === '' || /^smtps?:\/\//.test(it), 'must begin with smtp:// or smtps://'),
  MAIL_FROM: z.string().default('Arc <arc@localhost>'),
  /** The bearer token of POST /api/mail/bounces; empty means that reports of bounced mails are not taken. */
  MAIL_BOUNCE_TOKEN: text.refine((it) => it === '' || it.length >= 24, 'must have at least 24 characters'),
  SLACK_CLIENT_ID: text,
  SLACK_CLIENT_SECRET: text,
  SLACK_SIGNING_SECRET: text,
  /** Socket Mode: events come over a socket that we open, so that no address has to be reachable. */
  SLACK_APP_TOKEN: text,
  SLACK_API_URL: providerUrl.default('https://slack.com/api/'),
  /** Microsoft Teams: the bot's registration and its tenant. An account may bring its own beside it. */
  MICROSOFT_APP_ID: text,
  MICROSOFT_APP_PASSWORD: text,
  MICROSOFT_APP_TENANT_ID: text,
  /**
   * Metadata with the keys that Microsoft signs its calls with, and the issuer of those tokens; national clouds have
   * their own.
   */
  BOT_OPENID_METADATA: providerUrl.default('https://login.botframework.com/v1/.well-known/openidconfiguration'),
  BOT_TOKEN_ISSUER: z.string().trim().default('https://api.botframework.com'),
  /** Where Arc gets tokens for replies and where people sign in; the tenant is appended. */
  BOT_LOGIN_URL: providerUrl.default('https://login.microsoftonline.com'),
  /** Hosts (and all below them) that files in Teams may be fetched from and put to. */
  BOT_FILE_HOSTS: z.string().default('sharepoint.com').transform(listOf),
  /**
   * Tools of the customer: the OAuth app that Arc is registered as. A base URL replaces the origin of all addresses of
   * that provider, for a cloud of one's own and for tests.
   */
  NOTION_CLIENT_ID: text,
  NOTION_CLIENT_SECRET: text,
  NOTION_BASE_URL: providerUrl,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_BASE_URL: providerUrl,
  SHAREPOINT_CLIENT_ID: text,
  SHAREPOINT_CLIENT_SECRET: text,
  /** Id of the directory (tenant) whose people may connect it; `organizations`: those of any company. */
  SHAREPOINT_TENANT_ID: z.string().trim().default('organizations'),
  SHAREPOINT_BASE_URL: providerUrl,
  LINEAR_CLIENT_ID: text,
  LINEAR_CLIENT_SECRET: text,
  LINEAR_BASE_URL: providerUrl,
  JIRA_CLIENT_ID: text,
  JIRA_CLIENT_SECRET: text,
  JIRA_BASE_URL: providerUrl,
  CONFLUENCE_CLIENT_ID: text,
  CONFLUENCE_CLIENT_SECRET: text,
  CONFLUENCE_BASE_URL: providerUrl,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  GITHUB_BASE_URL: providerUrl,
  FIGMA_CLIENT_ID: text,
  FIGMA_CLIENT_SECRET: text,
  FIGMA_BASE_URL: providerUrl,
  /** Whether the app is private in Figma: only then it may list the files of projects. */
  FIGMA_PRIVATE_APP: flag,
  MAILCHIMP_CLIENT_ID: text,
  MAILCHIMP_CLIENT_SECRET: text,
  MAILCHIMP_BASE_URL: providerUrl,
  TWITTER_CLIENT_ID: text,
  TWITTER_CLIENT_SECRET: text,
  TWITTER_BASE_URL: providerUrl,
  AIRTABLE_CLIENT_ID: text,
  AIRTABLE_CLIENT_SECRET: text,
  AIRTABLE_BASE_URL: providerUrl,
  SALESFORCE_CLIENT_ID: text,
  SALESFORCE_CLIENT_SECRET: text,
  SALESFORCE_BASE_URL: providerUrl,
  HUBSPOT_CLIENT_ID: text,
  HUBSPOT_CLIENT_SECRET: text,
  HUBSPOT_BASE_URL: providerUrl,
  /** Logging in with Google and with Microsoft: an app registered there, apart from those of the tools. */
  LOGIN_GOOGLE_CLIENT_ID: text,
  LOGIN_GOOGLE_CLIENT_SECRET: text,
  LOGIN_GOOGLE_BASE_URL: providerUrl,
  LOGIN_MICROSOFT_CLIENT_ID: text,
  LOGIN_MICROSOFT_CLIENT_SECRET: text,
  /** Id of the directory (tenant) whose people may log in. */
  LOGIN_MICROSOFT_TENANT_ID: text,
  LOGIN_MICROSOFT_BASE_URL: providerUrl,
  /**
   * Payments by Stripe: the secret key, the secret of the webhook, and the ids of the monthly prices of both plans. The
   * base URL replaces https://api.stripe.com, for tests.
   */
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_PRICE_STARTER: text,
  STRIPE_PRICE_PRO: text,
  STRIPE_BASE_URL: providerUrl.default('https://api.stripe.com'),
  /** True makes the log readable for people; default in development. */
  LOG_PRETTY: flag,
});
export type Environment = z.output<typeof variables>;

/** The environment is invalid. Thrown at start; the message lists every fault. */
export class EnvironmentError extends Error {
  constructor(faults: string[]) {
    super(`The environment is not as expected:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

/**
 * Reads and checks the environment.
 * @throws {EnvironmentError} naming every variable at fault.
 */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const read = variables.safeParse(source);
  const faults = read.success ? [] : read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (read.success) faults.push(...crossCheck(read.data));
  if (!read.success || faults.length > 0) throw new EnvironmentError(faults);
  return Object.freeze(read.data);
}

/** What payments need. */
export const PAYMENTS = {
  name: 'Payment by Stripe',
  needs: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_STARTER', 'STRIPE_PRICE_PRO'],
} as const;

/** Features that stay off until their variables are set. */
const OPTIONAL_FEATURES: readonly Pick<ConnectorCard, 'name' | 'needs'>[] = [
  ...CHANNELS,
  PAYMENTS,
  { name: 'Logging in with Google', needs: ['LOGIN_GOOGLE_CLIENT_ID', 'LOGIN_GOOGLE_CLIENT_SECRET'] },
  {
    name: 'Logging in with Microsoft',
    needs: ['LOGIN_MICROSOFT_CLIENT_ID', 'LOGIN_MICROSOFT_CLIENT_SECRET', 'LOGIN_MICROSOFT_TENANT_ID'],
  },
  ...CONNECTORS.filter(({ status }: ConnectorCard) => status === 'working'),
];

function crossCheck(it: Environment): string[] {
  const faults: string[] = [];
  const needs = (condition: boolean, fault: string) => condition && faults.push(fault);
  needs(it.MONGODB_URI !== '' && it.SESSION_SECRET === '', 'SESSION_SECRET: required with MONGODB_URI');
  needs(it.MONGODB_URI !== '' && it.ENCRYPTION_KEY === '', 'ENCRYPTION_KEY: required with MONGODB_URI');
  needs(it.SESSION_SECRET !== '' && it.SESSION_SECRET.length < 32, 'SESSION_SECRET: at least 32 characters');
  needs(
    it.ENCRYPTION_KEY !== '' && !/^[0-9a-f]{64}$/i.test(it.ENCRYPTION_KEY),
    'ENCRYPTION_KEY: 64 hexadecimal characters (openssl rand -hex 32)',
  );
  needs(
    it.ENCRYPTION_KEYS_RETIRED.some((key) => !/^[0-9a-f]{64}$/.test(key)),
    'ENCRYPTION_KEYS_RETIRED: keys of 64 hexadecimal characters, separated by commas',
  );
  needs(
    it.NODE_ENV === 'production' && it.PASSWORD_MEMORY_KIB < SAFE_PASSWORD_MEMORY_KIB,
    `PASSWORD_MEMORY_KIB: at least ${SAFE_PASSWORD_MEMORY_KIB}; less is for tests and development only`,
  );
  for (const { name, needs: variables } of OPTIONAL_FEATURES) {
    const set = variables.filter((one) => it[one as keyof Environment] !== '');
    needs(
      set.length > 0 && set.length < variables.length,
      `${variables.join(', ')}: all or none; without them ${name} is off`,
    );
  }
  const declared = it.MODEL_PROVIDER !== '';
  needs(declared && it.MODEL_REGION === '', 'MODEL_REGION: say uk, or outside-uk-accepted, when a model is configured');
  needs(
    it.MODEL_REGION === 'uk' && (it.MODEL_PROVIDER === 'openai' || it.MODEL_PROVIDER === 'anthropic'),
    'MODEL_REGION: uk can be declared for azure and for openai-compatible (self-hosted) only',
  );
  const known = publicModelHost(it.MODEL_BASE_URL);
  needs(
    it.MODEL_REGION === 'uk' && known !== null,
    `MODEL_REGION: uk is not believed for ${known}, a public service; set outside-uk-accepted, or a server of your own as MODEL_BASE_URL`,
  );
  needs(
    it.MODEL_PROVIDER === 'openai' && it.OPENAI_API_KEY === '',
    'OPENAI_API_KEY: required with MODEL_PROVIDER=openai',
  );
  needs(
    it.MODEL_PROVIDER === 'anthropic' && it.ANTHROPIC_API_KEY === '',
    'ANTHROPIC_API_KEY: required with MODEL_PROVIDER=anthropic',
  );
  needs(
    it.MODEL_PROVIDER === 'azure' && (it.AZURE_OPENAI_API_KEY === '' || it.AZURE_OPENAI_DEPLOYMENT === ''),
    'AZURE_OPENAI_API_KEY and AZURE_OPENAI_DEPLOYMENT: required with MODEL_PROVIDER=azure',
  );
  needs(
    it.MODEL_PROVIDER === 'openai-compatible' && it.MODEL_BASE_URL === '',
    'MODEL_BASE_URL: required with MODEL_PROVIDER=openai-compatible',
  );
  needs(
    declared && it.MODEL_PROVIDER !== 'azure' && it.MODEL_NAME === '',
    'MODEL_NAME: required when a model is configured',
  );
  needs(
    !declared && it.MODEL_FALLBACK_NAME !== '',
    'MODEL_FALLBACK_NAME: a second model needs a first one; set MODEL_PROVIDER',
  );
  return faults;
}

/** The environment of this process. */
export const env: Environment = parseEnvironment(process.env);

/** Variables of earlier plans, each with a sentence on why it has no effect. */
const NOT_USED: Record<string, string> = {
  REDIS_URL:
    'REDIS_URL is not used: processes that share one MongoDB exchange changes through it. Remove the variable.',
};

/** A sentence for each variable that is set and has no effect; logged at start. */
export const unusedVariables = (source: Record<string, string | undefined> = process.env): string[] =>
  Object.entries(NOT_USED).flatMap(([name, sentence]) => (source[name] ? [sentence] : []));

/** Whether every variable that a channel or a feature needs is set. */
export const isConfigured = ({ needs }: { needs: readonly (keyof Environment)[] }, from = env): boolean =>
  needs.every((name) => from[name] !== '');

/** The address people use: BASE_URL, or host and port. */
export function baseUrl(from = env): string {
  return from.BASE_URL || `http://${from.HOST === '0.0.0.0' ? '127.0.0.1' : from.HOST}:${from.PORT}`;
}

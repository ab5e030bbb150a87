import { z } from 'zod';
import type { ConnectorCard } from './connectorCard.ts';
import { authorizePathOf, CONNECTORS } from './connectors.ts';
import { endpoint } from './endpoint.ts';

/** Display names of the login providers. */
export const LOGIN_PROVIDERS = { google: 'Google', microsoft: 'Microsoft' } as const;
export type LoginProvider = keyof typeof LOGIN_PROVIDERS;

/** A login provider by its name in a path; null for an unknown one. */
export const loginProviderOf = (name: string): LoginProvider | null =>
  Object.hasOwn(LOGIN_PROVIDERS, name) ? (name as LoginProvider) : null;

const NOT_ALLOWED = 'The connection was not allowed.';
/**
 * Why a connection or a login failed, by the `error` code in the URL; {name} is the service. Anybody can craft a URL,
 * so only these sentences are shown. The first are ours, the rest are the providers' (RFC 6749, section 4.1.2.1; OpenID
 * Connect Core, section 3.1.2.6).
 */
export const RETURN_REASONS = {
  not_configured: '{name} is not configured on this server.',
  login_not_configured: 'Logging in with {name} is not configured on this server.',
  no_such_provider: 'There is no such way to log in.',
  not_begun_here: 'The connection was not begun here, or took longer than ten minutes. Please try again.',
  owner_only: 'Only the account owner can connect integrations.',
  connection_refused: '{name} did not accept the connection. Please try again.',
  email_not_confirmed:
    '{name} does not confirm that the email address is yours. Confirm it there, or sign up with your email here.',
  account_not_confirmed:
    'An account with this email exists here, and its address was never confirmed. Log in with its password, or reset the password by email.',
  connected_elsewhere: 'This workspace of {name} is connected to another Arc account.',
  internal: 'Something went wrong on our side. Please try again.',
  access_denied: NOT_ALLOWED,
  consent_required: NOT_ALLOWED,
  interaction_required: 'The provider wanted to ask you something first.',
  invalid_request: 'The provider did not accept the request.',
  invalid_scope: 'The provider does not offer what was asked for.',
  login_required: 'You were not signed in with the provider.',
  server_error: 'The provider had a fault of its own.',
  temporarily_unavailable: 'The provider is not available at the moment.',
  unauthorized_client: 'The provider does not know this server.',
} as const;
export type ReturnReason = keyof typeof RETURN_REASONS;

const cards: readonly ConnectorCard[] = CONNECTORS;
/** The scope names that select one of a connector's tools. */
const SCOPES = cards.flatMap(({ tools }) => tools.flatMap(({ scope }) => scope ?? []));
/** Connectors whose path ends in `initiate` instead of `authorize`. */
const INITIATED = cards.filter((card) => authorizePathOf(card).endsWith('/initiate')).map(({ id }) => id);

/** Redirects to the provider, or to /auth with the reason where it is unknown or not configured. */
export const providerLogin = endpoint({
  method: 'get',
  path: '/api/oauth/:provider/auth',
  summary: 'Log in with a provider',
  policy: 'public',
  rate: 'providerLogin',
  params: z.object({ provider: z.string().max(50) }),
  answerType: 'redirect',
});

/** Where a provider redirects after a login. Public: nobody is signed in yet; a single-use state guards it. */
export const finishLogin = endpoint({
  method: 'get',
  path: '/api/oauth/:provider/auth/callback',
  summary: 'Return from a provider’s login page',
  policy: 'public',
  rate: 'providerLogin',
  params: z.object({ provider: z.string().max(50) }),
  query: z.object({
    code: z.string().max(4000).optional(),
    state: z.string().max(500).optional(),
    error: z.string().max(500).optional(),
  }),
  answerType: 'redirect',
});

export const beginConnection = endpoint({
  method: 'get',
  path: '/api/oauth/:service/authorize',
  summary: 'Connect a tool; returns to the page that began with oauth, service, error and agent',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  query: z.object({
    scope: z.enum(SCOPES).optional(),
    agent: z.string().max(50).optional(),
    from: z.string().max(200).optional(),
  }),
  answerType: 'redirect',
});

/** The same as authorize, for connectors whose card asks for this path. */
export const initiateConnection = endpoint({
  method: 'get',
  path: '/api/oauth/:service/initiate',
  summary: 'Connect a tool: the same as authorize',
  policy: 'signed-in',
  params: z.object({ service: z.enum(INITIATED) }),
  query: z.object({ agent: z.string().max(50).optional(), from: z.string().max(200).optional() }),
  answerType: 'redirect',
});

export const disconnected = z.object({
  success: z.literal(true),
  /** False where the provider did not confirm; the person can revoke the access in its settings. */
  revoked: z.boolean(),
});

export const disconnect = endpoint({
  method: 'delete',
  path: '/api/oauth/:service',
  summary: 'Disconnect a tool or a channel: the access is revoked at the provider, and its tokens are deleted',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  answer: disconnected,
});

/** The OAuth redirect. It and that of a login are the only GETs that change state; a single-use state guards them. */
export const finishConnection = endpoint({
  method: 'get',
  path: '/api/oauth/:service/callback',
  summary: 'Return from the provider’s consent page',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  query: z.object({
    code: z.string().max(2000).optional(),
    state: z.string().max(500).optional(),
    error: z.string().max(500).optional(),
  }),
  answerType: 'redirect',
});

import { findTool } from '../../models/contracts/catalogue.ts';
import { INTEGRATIONS, integrationIdOf, oauthStatus } from '../../models/contracts/integrations.ts';
import { call } from './call.ts';

/** What an address says that a provider came back with. It is a claim: anybody can write an address. */
export type OAuthReturn = {
  kind: 'connection' | 'login' | 'figma';
  /** Id of the service that began; empty where the address names none. */
  service: string;
  succeeded: boolean;
  /** The reason that came with a failure, as a plain sentence; null where there is none to show. */
  reason: string | null;
  /** The address's query without what the return brought. */
  rest: string;
};

const LOGINS: Record<string, string> = { google: 'Google', microsoft: 'Microsoft' };

/** Codes that vendors send instead of words (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
const REASONS: Record<string, string> = {
  access_denied: 'The connection was not allowed.',
  consent_required: 'The connection was not allowed.',
  interaction_required: 'The provider wanted to ask you something first.',
  invalid_request: 'The provider did not accept the request.',
  invalid_scope: 'The provider does not offer what was asked for.',
  login_required: 'You were not signed in with the provider.',
  server_error: 'The provider had a fault of its own.',
  temporarily_unavailable: 'The provider is not available at the moment.',
  unauthorized_client: 'The provider does not know this server.',
};
const LONGEST_REASON = 200;

/** A reason in words; null for a code that nobody knows and for what would lead elsewhere. */
function sentenceOf(error: string | null): string | null {
  const text = error?.trim() ?? '';
  if (REASONS[text]) return REASONS[text];
  if (!/\s/.test(text) || text.length > LONGEST_REASON || /:\/\/|www\.|@/.test(text)) return null;
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The name of a product as it is written, e.g. Google Drive for googledrive. */
export function productName(service: string): string {
  const id = integrationIdOf(service);
  return INTEGRATIONS.find((it) => it.id === id)?.name ?? findTool(id)?.name ?? LOGINS[id] ?? 'this service';
}

/**
 * Reads what an address brings back from a provider; null where it brings nothing.
 * On /workspace a connection to Figma may also come back as figmaToken, success and error; a token is never read.
 */
export function readReturn(pathname: string, search: string): OAuthReturn | null {
  const query = new URLSearchParams(search);
  const outcome = query.get('oauth');
  const figma =
    outcome === null && pathname === '/workspace' && ['figmaToken', 'success', 'error'].some((it) => query.has(it));
  if (outcome === null && !figma && !query.has('figmaToken')) return null;
  const service = figma ? 'figma' : (query.get('service') ?? '');
  const reason = sentenceOf(query.get('error'));
  const succeeded = figma ? query.has('success') && !query.has('error') : outcome === 'success';
  for (const name of ['oauth', 'service', 'error', 'figmaToken', 'success']) query.delete(name);
  // There `agent` names a card by its number; elsewhere it only came along.
  if (pathname !== '/workspace' || Number.isNaN(Number(query.get('agent')))) query.delete('agent');
  const login = pathname === '/auth' && service in LOGINS;
  return { kind: figma ? 'figma' : login ? 'login' : 'connection', service, succeeded, reason, rest: query.toString() };
}

/** Whether the server knows of the connection; false too where it can not be asked. */
export async function isConnected(service: string): Promise<boolean> {
  try {
    return (await call(oauthStatus, { params: { service } })).authenticated;
  } catch {
    return false;
  }
}

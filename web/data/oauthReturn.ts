import { type ConnectorCard, missingText } from '../../models/contracts/connectorCard.ts';
import { findConnector } from '../../models/contracts/connectors.ts';
import { INTEGRATIONS, integrationIdOf, oauthStatus } from '../../models/contracts/integrations.ts';
import { LOGIN_PROVIDERS, RETURN_REASONS, type ReturnReason } from '../../models/contracts/oauth.ts';
import { ownEntry } from '../../models/contracts/ownEntry.ts';
import { findTool } from '../../models/contracts/tools.ts';
import { call } from './call.ts';

/** A provider's return as the URL claims it. Not to be trusted: anybody can write a URL. */
export type OAuthReturn = {
  kind: 'connection' | 'login' | 'figma';
  /** Id of the service; empty if the URL names none. */
  service: string;
  succeeded: boolean;
  /** Why it failed, as one of our own sentences; null if the code is missing or unknown. */
  reason: string | null;
  /** The URL's query without the parameters of the return. */
  rest: string;
};

/** The sentence for a code; null for unknown codes, so that a URL can't put its own text on the page. */
function sentenceOf(code: string | null, service: string): string | null {
  if (code === null || !Object.hasOwn(RETURN_REASONS, code)) return null;
  const name = productName(service);
  const card: ConnectorCard | undefined = findConnector(service);
  const missing = code === 'not_configured' && card?.status === 'working' ? ` ${missingText(card)}` : '';
  const sentence = RETURN_REASONS[code as ReturnReason].replace('{name}', name) + missing;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Display name of a service: "Google Drive" for googledrive. */
export function productName(service: string): string {
  const id = integrationIdOf(service);
  // Tools first: a connector may have several.
  const named = findTool(service) ?? INTEGRATIONS.find((it) => it.id === id);
  return ownEntry(LOGIN_PROVIDERS, service) ?? named?.name ?? 'this service';
}

/**
 * Reads the return of a provider from the URL; null if there is none.
 * On /workspace a return from Figma may use figmaToken, success and error; the token itself is never read.
 */
export function readReturn(pathname: string, search: string): OAuthReturn | null {
  const query = new URLSearchParams(search);
  const outcome = query.get('oauth');
  const figma =
    outcome === null && pathname === '/workspace' && ['figmaToken', 'success', 'error'].some((it) => query.has(it));
  if (outcome === null && !figma && !query.has('figmaToken')) return null;
  const service = figma ? 'figma' : (query.get('service') ?? '');
  const reason = sentenceOf(query.get('error'), service);
  const succeeded = figma ? query.has('success') && !query.has('error') : outcome === 'success';
  for (const name of ['oauth', 'service', 'error', 'figmaToken', 'success']) query.delete(name);
  // On /workspace `agent` may be the number of a card and stays; elsewhere it belongs to the return.
  if (pathname !== '/workspace' || Number.isNaN(Number(query.get('agent')))) query.delete('agent');
  const login = pathname === '/auth' && Object.hasOwn(LOGIN_PROVIDERS, service);
  return { kind: figma ? 'figma' : login ? 'login' : 'connection', service, succeeded, reason, rest: query.toString() };
}

/** Whether the server confirms the connection; false if the call fails. */
export async function isConnected(service: string): Promise<boolean> {
  try {
    return (await call(oauthStatus, { params: { service } })).authenticated;
  } catch {
    return false;
  }
}

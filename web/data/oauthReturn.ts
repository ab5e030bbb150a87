import { INTEGRATIONS, integrationIdOf, oauthStatus } from '../../models/contracts/integrations.ts';
import { LOGIN_PROVIDERS, RETURN_REASONS, type ReturnReason } from '../../models/contracts/oauth.ts';
import { ownEntry } from '../../models/contracts/ownEntry.ts';
import { findTool } from '../../models/contracts/tools.ts';
import { call } from './call.ts';

/** What an address says that a provider came back with. It is a claim: anybody can write an address. */
export type OAuthReturn = {
  kind: 'connection' | 'login' | 'figma';
  /** Id of the service that began; empty where the address names none. */
  service: string;
  succeeded: boolean;
  /** The reason that came with a failure, in our own words; null where there is none to show. */
  reason: string | null;
  /** The address's query without what the return brought. */
  rest: string;
};

/** The sentence for a code in an address; null for what is none of ours: nobody else's words are shown. */
function sentenceOf(code: string | null, service: string): string | null {
  if (code === null || !Object.hasOwn(RETURN_REASONS, code)) return null;
  const name = productName(service);
  const sentence = RETURN_REASONS[code as ReturnReason].replace('{name}', name);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The name of a product as it is written, e.g. Google Drive for googledrive. */
export function productName(service: string): string {
  const id = integrationIdOf(service);
  // A tool before its connector, which may have several.
  const named = findTool(service) ?? INTEGRATIONS.find((it) => it.id === id);
  return ownEntry(LOGIN_PROVIDERS, service) ?? named?.name ?? 'this service';
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
  const reason = sentenceOf(query.get('error'), service);
  const succeeded = figma ? query.has('success') && !query.has('error') : outcome === 'success';
  for (const name of ['oauth', 'service', 'error', 'figmaToken', 'success']) query.delete(name);
  // There `agent` names a card by its number; elsewhere it only came along.
  if (pathname !== '/workspace' || Number.isNaN(Number(query.get('agent')))) query.delete('agent');
  const login = pathname === '/auth' && Object.hasOwn(LOGIN_PROVIDERS, service);
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

import type { IncomingMessage } from 'node:http';
import type { TokenHolder } from '../../bot/engine/access/accessTokens.ts';

const acting = new WeakMap<IncomingMessage, TokenHolder>();

/** Notes that a request acts by an access token: only a call that names a scope of the token may do so. */
export function actBy(request: IncomingMessage, holder: TokenHolder): void {
  acting.set(request, holder);
}

/** The access token that a request acts by; undefined for people. */
export const tokenOf = (request: IncomingMessage): TokenHolder | undefined => acting.get(request);

import type { Request, RequestHandler, Response } from 'express';
import { authenticate, looksLikeToken, type TokenHolder } from '../../bot/engine/access/accessTokens.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { TokenScope } from '../../models/contracts/tokenScopes.ts';
import { actBy } from './acting.ts';
import { isSameOrigin } from './origin.ts';
import { countFailedToken, countToken, limitRate, requireFewFailedTokens } from './rate.ts';

// Counted by hand below; the library wants its counters made before the first request.
for (const name of ['token', 'badToken'] as const) limitRate(name);

/** Refuses requests of other sites' pages, whatever their method: a token must not be tried from a browser. */
export const refuseOtherSites: RequestHandler = (request, _response, next) => {
  if (!isSameOrigin(request)) throw new AppError('cross_site');
  next();
};

const secretOf = ({ headers }: Pick<Request, 'headers'>) =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/**
 * The token behind a request, counted against its rate. A session counts for nothing here.
 * @throws AppError bad_token, too_many
 */
export async function requireToken(request: Request, response: Response): Promise<TokenHolder> {
  await requireFewFailedTokens(request);
  const holder = await authenticate(secretOf(request));
  if (!holder) {
    await countFailedToken(request);
    response.set('WWW-Authenticate', 'Bearer');
    throw new AppError('bad_token');
  }
  await countToken(String(holder.token._id));
  return holder;
}

/** @throws AppError scope_missing where the token has none of the scopes */
export function requireScope({ token }: Pick<TokenHolder, 'token'>, scopes: readonly TokenScope[]): void {
  if (!scopes.some((scope) => token.scopes.includes(scope)))
    throw new AppError('scope_missing', { scope: scopes.join(' or ') });
}

/**
 * Lets an access token make a call that people make too, if the call names a scope that the token has. For every other
 * call a token is nobody's.
 */
export function letTokensCall({ scopes }: Pick<Endpoint, 'scopes'>): RequestHandler[] {
  if (!scopes) return [];
  return [
    async (request, response, next) => {
      if (!looksLikeToken(secretOf(request))) return next();
      if (!isSameOrigin(request)) throw new AppError('cross_site');
      const holder = await requireToken(request, response);
      requireScope(holder, scopes);
      actBy(request, holder);
      next();
    },
  ];
}

import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import { authenticate, type TokenHolder } from '../../bot/engine/access/accessTokens.ts';
import { requireActivePlan } from '../../bot/engine/accounts/trial.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { TokenScope } from '../../models/contracts/tokenScopes.ts';
import { env } from '../../models/env.ts';
import { runInAccount } from '../../models/store/context.ts';
import { bound, parse, requireWellFormed } from './bind.ts';
import { isSameOrigin } from './origin.ts';
import { countFailedToken, countToken, limitRate, requireFewFailedTokens } from './rate.ts';

// Counted by hand below; the library wants its counters made before the first request.
for (const name of ['token', 'badToken'] as const) limitRate(name);

/** Refuses requests of other sites' pages, whatever their method: a token must not be tried from a browser. */
export const refuseOtherSites: RequestHandler = (request, _response, next) => {
  if (!isSameOrigin(request)) throw new AppError('cross_site');
  next();
};

/**
 * The token behind a request, counted against its rate. A session counts for nothing here.
 * @throws AppError bad_token, too_many
 */
export async function requireToken(request: Request, response: Response): Promise<TokenHolder> {
  await requireFewFailedTokens(request);
  const [, secret = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const holder = await authenticate(secret);
  if (!holder) {
    await countFailedToken(request);
    response.set('WWW-Authenticate', 'Bearer');
    throw new AppError('bad_token');
  }
  await countToken(String(holder.token._id));
  return holder;
}

/** @throws AppError scope_missing where the token has none of the scopes */
function requireScope({ token }: Pick<TokenHolder, 'token'>, scopes: readonly TokenScope[]): void {
  if (!scopes.some((scope) => token.scopes.includes(scope)))
    throw new AppError('scope_missing', { scope: scopes.join(' or ') });
}

/** Ends when the caller has gone. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

type Shape = z.ZodType;

/** Binds a call to its handler, behind token, rate, scope, plan and contract. It runs inside the token's account. */
export function bindToken<P extends Shape, Q extends Shape, B extends Shape, A extends Shape>(
  router: Router,
  it: Endpoint<P, Q, B, A>,
  handler: (call: {
    holder: TokenHolder;
    params: z.output<P>;
    query: z.output<Q>;
    body: z.output<B>;
    gone: AbortSignal;
  }) => Promise<z.input<A>>,
): void {
  bound.set(`${it.method} ${it.path}`, it as unknown as Endpoint);
  router[it.method](it.path, async (request, response) => {
    const holder = await requireToken(request, response);
    requireScope(holder, it.scopes ?? []);
    const { accountId } = holder.token;
    const answer = await runInAccount(accountId, async () => {
      if (it.startsWork) await requireActivePlan(accountId);
      requireWellFormed(request);
      return handler({
        holder,
        params: parse(it.params, request.params),
        query: parse(it.query, request.query),
        body: parse(it.body, request.body ?? {}),
        gone: goneSignal(response),
      });
    });
    if (env.NODE_ENV === 'test') it.answer.parse(answer);
    response.set('Cache-Control', 'no-store').json(answer);
  });
}

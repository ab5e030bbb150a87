import type { Response, Router } from 'express';
import type { z } from 'zod';
import type { TokenHolder } from '../../bot/engine/access/accessTokens.ts';
import { requireActivePlan } from '../../bot/engine/accounts/trial.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { env } from '../../models/env.ts';
import { runInAccount } from '../../models/store/context.ts';
import { requireScope, requireToken } from './bearerToken.ts';
import { bound, parse, requireWellFormed } from './bind.ts';

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

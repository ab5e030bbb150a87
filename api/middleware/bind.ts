import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import { requireActivePlan } from '../../bot/engine/accounts/trial.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { Topic } from '../../models/contracts/realtime.ts';
import { isWellFormed } from '../../models/contracts/wellFormed.ts';
import { env } from '../../models/env.ts';
import { ROUTE_POLICIES } from '../../models/policies/route.ts';
import type { Who } from '../../models/policies/who.ts';
import { runInAccount } from '../../models/store/context.ts';
import { revisionTag } from '../../models/store/revisions.ts';
import { letTokensCall } from './bearerToken.ts';
import { sendCompressed } from './compressed.ts';
import { limitRate } from './rate.ts';
import { requireShown, whoIs } from './session.ts';
import { notePolled } from './unchanged.ts';

type Shape = z.ZodType;
type Call<E extends Endpoint> = {
  who: E['policy'] extends 'public' ? Who | null : Who;
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  request: Request;
  response: Response;
};
type Options = {
  /**
   * Topics that the answer depends on: while none has changed, a repeated call is answered 304 without running the
   * handler.
   */
  topics?: Topic[];
  /** Express middleware before the handler, e.g. for multipart. */
  before?: import('express').RequestHandler[];
};
/** Returned by a handler that has written the response itself. */
export const ANSWERED = { answer: 'written' } as const;
type Answered = typeof ANSWERED;

/** Every bound call, for the OpenAPI page and the test that walks them. */
export const bound = new Map<string, Endpoint>();

/**
 * Binds a call to its handler, behind the checks of rate, session, policy, plan and contract. The handler runs inside
 * the caller's account. An access token may make the call where its contract names a scope of the token.
 */
export function bind<P extends Shape, Q extends Shape, B extends Shape, A extends Shape>(
  router: Router,
  it: Endpoint<P, Q, B, A>,
  handler: (call: Call<Endpoint<P, Q, B, A>> & { who: Who }) => Promise<z.input<A> | Answered> | z.input<A> | Answered,
  { topics, before = [] }: Options = {},
): void {
  bound.set(`${it.method} ${it.path}`, it as unknown as Endpoint);
  if (topics) notePolled(it, topics);
  const rates = [it.rate ?? []].flat().map(limitRate);
  router[it.method](it.path, ...letTokensCall(it), ...rates, ...before, async (request, response) => {
    const who = await whoIs(request);
    const verdict = ROUTE_POLICIES[it.policy](who);
    if (verdict !== 'yes') throw new AppError(verdict === 'sign-in' ? 'not_signed_in' : 'not_allowed');
    if (it.policy !== 'public' && who) requireShown(request, who);
    if (it.startsWork && who) await runInAccount(who.accountId, () => requireActivePlan(who.accountId));
    requireWellFormed(request);
    if (topics && who) {
      const tag = revisionTag(who.accountId, topics, who.userId);
      response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
      if (request.headers['if-none-match'] === tag) {
        response.status(304).end();
        return;
      }
    }
    const call = {
      who: who as Who,
      params: parse(it.params, request.params),
      query: parse(it.query, request.query),
      body: parse(it.body, request.body ?? {}),
      request,
      response,
    };
    const work = async () => handler(call as never);
    const answer = await (who ? runInAccount(who.accountId, work) : work());
    if (answer === ANSWERED) return;
    if (env.NODE_ENV === 'test') it.answer.parse(answer);
    if (!topics) response.set('Cache-Control', 'no-store');
    response.status(it.status ?? 200).type('json');
    await sendCompressed(request, response, JSON.stringify(answer) ?? '');
  });
}

/** @throws AppError bad_request where a part of the request can't be stored */
export function requireWellFormed({ params, query, body }: Pick<Request, 'params' | 'query' | 'body'>): void {
  if (![params, query, body].every((part) => isWellFormed(part)))
    throw new AppError('bad_request', {}, { fields: { body: UNREADABLE } });
}

const UNREADABLE =
  'This holds characters that can’t be stored (a NUL, or half of a character), or nests too deeply. Remove them and send it again.';

type Issue = z.core.$ZodIssue;
const few = (size: number | bigint, origin: string) =>
  origin === 'string'
    ? ` ${size === 1 ? 'character' : 'characters'}`
    : origin === 'array'
      ? ` ${size === 1 ? 'entry' : 'entries'}`
      : '';
const grouped = (size: number | bigint) => size.toLocaleString('en-GB');

/** Zod's default messages address programmers; these replace them where a contract has no message of its own. */
const OURS: { [C in Issue['code']]?: (issue: Extract<Issue, { code: C }>) => string } = {
  invalid_type: () => 'This is missing or has the wrong type.',
  invalid_value: () => 'This is not one of the options.',
  too_big: ({ maximum, origin, inclusive }) =>
    `${inclusive === false ? 'Less than' : 'At most'} ${grouped(maximum)}${few(maximum, origin)}.`,
  too_small: ({ minimum, origin, inclusive }) =>
    `${inclusive === false ? 'More than' : 'At least'} ${grouped(minimum)}${few(minimum, origin)}.`,
  invalid_format: () => 'This does not have the expected format.',
};
const sayIssue = (issue: Issue) =>
  /^(Invalid|Too (big|small)|Unrecognized|Required)/.test(issue.message)
    ? ((OURS[issue.code] as ((it: Issue) => string) | undefined)?.(issue) ?? 'This is not valid.')
    : issue.message;

/** @throws AppError bad_request with a message per faulty field */
export function parse<S extends Shape>(shape: S, value: unknown): z.output<S> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const issue of read.error.issues) fields[issue.path.join('.') || 'body'] ??= sayIssue(issue);
  throw new AppError('bad_request', {}, { fields });
}

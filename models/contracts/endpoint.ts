import { z } from 'zod';
import type { RateName } from './limits.ts';
import type { TokenScope } from './tokenScopes.ts';

/**
 * Who may call. Every route states one; tests/api/policyTable.test.ts walks the router's list. `token`: programs with an
 * access token, and no session.
 */
export type Policy = 'public' | 'signed-in' | 'owner' | 'admin' | 'token';

type Shape = z.ZodType;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The contract of one call: bound by `api`, called by `web` and tests, described on /api/docs. */
export type Endpoint<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Answer extends Shape = Shape,
> = {
  method: Method;
  /** Express style: /api/interrupts/:id/resolve. */
  path: string;
  summary: string;
  policy: Policy;
  /**
   * An access token needs one of these. With the policy `token` it has to be one; with another it may be, beside people.
   * Without them no token may make the call. tests/api/tokenRoutes.test.ts has the whole table.
   */
  scopes?: readonly TokenScope[];
  /** The rates that limit it (`RATES` in limits.ts). */
  rate?: RateName | readonly RateName[];
  /** The field of the one file that it takes as multipart; without a file its body is JSON. */
  upload?: string;
  /** Starts new work: refused with `trial_over` while neither a trial nor a plan is active. */
  startsWork?: boolean;
  params: Params;
  query: Query;
  body: Body;
  answer: Answer;
  /** What the answer is where it is not JSON. */
  answerType?: 'json' | 'file' | 'redirect';
  /** HTTP status of success; 200 by default. */
  status?: number;
};

const nothing = z.object({});

/** Declares a call. Omitted shapes are empty objects; an omitted answer is not checked. */
export function endpoint<
  Params extends Shape = typeof nothing,
  Query extends Shape = typeof nothing,
  Body extends Shape = typeof nothing,
  Answer extends Shape = z.ZodUnknown,
>(
  it: Pick<
    Endpoint,
    'method' | 'path' | 'summary' | 'policy' | 'scopes' | 'rate' | 'upload' | 'startsWork' | 'answerType' | 'status'
  > & {
    params?: Params;
    query?: Query;
    body?: Body;
    answer?: Answer;
  },
): Endpoint<Params, Query, Body, Answer> {
  return {
    ...it,
    params: (it.params ?? nothing) as Params,
    query: (it.query ?? nothing) as Query,
    body: (it.body ?? nothing) as Body,
    answer: (it.answer ?? z.unknown()) as unknown as Answer,
  };
}

export type ParamsOf<E> = E extends Endpoint<infer P, Shape, Shape, Shape> ? z.infer<P> : never;
export type QueryOf<E> = E extends Endpoint<Shape, infer Q, Shape, Shape> ? z.infer<Q> : never;
export type BodyOf<E> = E extends Endpoint<Shape, Shape, infer B, Shape> ? z.input<B> : never;
export type AnswerOf<E> = E extends Endpoint<Shape, Shape, Shape, infer A> ? z.infer<A> : never;

/** A numeric id in a path. */
export const idParam = z.coerce.number().int().positive();
/** A date as an ISO 8601 string. */
export const isoDate = z.string();

import { z } from 'zod';
import type { RateName } from './limits.ts';

/** Who may call: every route states one, and a test walks the router's list. */
export type Policy = 'public' | 'signed-in' | 'owner' | 'admin';

type Shape = z.ZodType;
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A whole call: what api binds, web and tests call, and the OpenAPI page describes. */
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
  /** By which rates it is limited. */
  rate?: RateName | readonly RateName[];
  /** Starts new work: answered with trial_over once neither a trial nor a plan is active. */
  startsWork?: boolean;
  params: Params;
  query: Query;
  body: Body;
  answer: Answer;
  /** What the answer is where it is not JSON. */
  answerType?: 'json' | 'file' | 'redirect';
  /** Status of success; 200 unless told. */
  status?: number;
};

const nothing = z.object({});

/** Declares a call; what is left out is empty. */
export function endpoint<
  Params extends Shape = typeof nothing,
  Query extends Shape = typeof nothing,
  Body extends Shape = typeof nothing,
  Answer extends Shape = z.ZodUnknown,
>(
  it: Pick<Endpoint, 'method' | 'path' | 'summary' | 'policy' | 'rate' | 'startsWork' | 'answerType' | 'status'> & {
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

/** A number that stands in a path. */
export const idParam = z.coerce.number().int().positive();
/** A date as JSON carries it. */
export const isoDate = z.string();

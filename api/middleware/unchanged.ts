import type { RequestHandler } from 'express';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import type { Topic } from '../../models/contracts/realtime.ts';
import { ROUTE_POLICIES } from '../../models/policies/route.ts';
import { revisionTag } from '../../models/store/revisions.ts';
import { whoIs } from './session.ts';

type Polled = { policy: Endpoint['policy']; topics: Topic[] };

const exact = new Map<string, Polled>();
const patterns: { of: string[]; polled: Polled }[] = [];

/** Notes a call whose answer is made of topics. */
export function notePolled(
  { method, path, policy }: Pick<Endpoint, 'method' | 'path' | 'policy'>,
  topics: Topic[],
): void {
  if (method !== 'get') return;
  const polled = { policy, topics };
  if (!path.includes(':')) exact.set(path, polled);
  else patterns.push({ of: path.split('/'), polled });
}

const polledAt = (path: string) => {
  const parts = path.split('/');
  const fits = (of: string[]) =>
    of.length === parts.length &&
    of.every((part, index) => (part.startsWith(':') ? parts[index] : part === parts[index]));
  return exact.get(path) ?? patterns.find(({ of }) => fits(of))?.polled;
};

/**
 * Answers a repeated poll that would find nothing new, before anything else is done for it: who asks, whether they may,
 * one comparison. Everything else goes its way.
 */
export function answerUnchanged(session: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const seen = request.headers['if-none-match'];
    const polled = seen && request.method === 'GET' ? polledAt(request.path) : undefined;
    if (!polled) return next();
    session(request, response, async (fault?: unknown) => {
      if (fault) return next(fault);
      try {
        const who = await whoIs(request);
        const same =
          who &&
          ROUTE_POLICIES[polled.policy](who) === 'yes' &&
          seen === revisionTag(who.accountId, polled.topics, who.userId);
        if (!same) return next();
        response.writeHead(304, { ETag: seen, 'Cache-Control': 'private, no-cache' }).end();
      } catch (error) {
        next(error);
      }
    });
  };
}

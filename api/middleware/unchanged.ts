import type { RequestHandler } from 'express';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import type { Topic } from '../../models/contracts/realtime.ts';
import { ROUTE_POLICIES } from '../../models/policies/route.ts';
import { revisionTag } from '../../models/store/revisions.ts';
import { whoIs } from './session.ts';

type Polled = { policy: Endpoint['policy']; topics: Topic[] };

const exact = new Map<string, Polled>();
const patterns: { of: string[]; polled: Polled }[] = [];

/** Registers a polled call and the topics that its answer depends on. */
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
 * Answers 304 to a poll that would find nothing new, before any other middleware runs: session, policy, and one
 * comparison of revision tags. All other requests pass through.
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

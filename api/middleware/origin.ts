import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../../models/contracts/errors.ts';
import { baseUrl, env } from '../../models/env.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from one of our own pages, or from no browser at all. Browsers send Origin or
 * Sec-Fetch-Site with whatever changes state; a call with neither comes from none.
 */
export function isSameOrigin(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  if (origin === new URL(baseUrl()).origin) return true;
  // Without BASE_URL the address people use is not known beforehand: then Origin must name the very host that is asked.
  return env.BASE_URL === '' && URL.canParse(origin) && new URL(origin).host === host;
}

/** Refuses state changes that another site's page asks for. */
export const refuseCrossSite: RequestHandler = (request, _response, next) => {
  if (SAFE.has(request.method) || isSameOrigin(request)) return next();
  throw new AppError('cross_site');
};

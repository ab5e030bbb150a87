import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../../models/contracts/errors.ts';
import { baseUrl, env } from '../../models/env.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from one of our own pages, or not from a browser. Browsers send Origin or Sec-Fetch-Site with
 * state-changing requests; a request with neither does not come from one.
 */
export function isSameOrigin(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  if (origin === new URL(baseUrl()).origin) return true;
  // Without BASE_URL the public address is unknown, so Origin must match the requested host.
  return env.BASE_URL === '' && URL.canParse(origin) && new URL(origin).host === host;
}

/** Refuses state-changing requests from other sites' pages. */
export const refuseCrossSite: RequestHandler = (request, _response, next) => {
  if (SAFE.has(request.method) || isSameOrigin(request)) return next();
  throw new AppError('cross_site');
};

import type { Request, RequestHandler } from 'express';
import { AppError } from '../../models/contracts/errors.ts';
import { env } from '../../models/env.ts';
import { isSameText } from '../../models/sameText.ts';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
/** Headers added by proxies: such a request is not local, whatever address connects. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function isOfThisHost(request: Request): boolean {
  return LOOPBACK.test(request.socket.remoteAddress ?? '') && !FORWARDED.some((name) => request.get(name));
}

function hasToken(request: Request): boolean {
  const given = request.get('authorization')?.replace(/^Bearer /, '') ?? '';
  return env.METRICS_TOKEN !== '' && isSameText(given, env.METRICS_TOKEN);
}

/**
 * Allows requests from this host, and those with METRICS_TOKEN. Everybody else gets 404, which does not reveal the
 * route.
 */
export const requireOperator: RequestHandler = (request, _response, next) => {
  if (!isOfThisHost(request) && !hasToken(request)) throw new AppError('not_found');
  next();
};

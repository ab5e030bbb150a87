import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { AppError } from '../../models/contracts/errors.ts';
import { RATES, type RateName } from '../../models/contracts/limits.ts';
import { env } from '../../models/env.ts';

/** A limiter by the table of rates: by user where one is signed in, by address elsewhere. */
export function limitRate(name: RateName): RequestHandler {
  const { limit, seconds } = RATES[name];
  return rateLimit({
    windowMs: seconds * 1000,
    limit: Math.max(1, Math.round(limit * env.RATE_LIMIT_FACTOR)),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) =>
      request.session?.userId ? `user:${request.session.userId}` : ipKeyGenerator(request.ip ?? ''),
    handler: (_request, response, next) => {
      const left = Number(response.getHeader('Retry-After') ?? seconds);
      next(new AppError('too_many', { seconds: left }));
    },
  });
}

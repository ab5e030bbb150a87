import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { AppError } from '../../models/contracts/errors.ts';
import { RATES, type RateName } from '../../models/contracts/limits.ts';
import { env } from '../../models/env.ts';
import { deviceOf } from './device.ts';

const addressOf = (request: Request) => ipKeyGenerator(request.ip ?? '');

/** By user where one is signed in, by address elsewhere. */
const byCaller = (request: Request) =>
  request.session?.userId ? `user:${request.session.userId}` : addressOf(request);

/** The e-mail that a call names, as it is compared. */
function emailOf(request: Request): string {
  const email: unknown = request.body?.email;
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : '';
}
const knownDevice = (request: Request) => deviceOf(request, emailOf(request));

/**
 * What is counted otherwise than by caller; where a call signs in, only what failed counts. A browser that the e-mail has
 * signed in from before is counted by itself alone: no stranger's tries, from however many addresses, shut its owner out.
 */
const SIGN_IN: Partial<Record<RateName, (request: Request) => string>> = {
  signIn: (request) => knownDevice(request) ?? `${addressOf(request)} ${emailOf(request)}`,
  signInEmail: emailOf,
  signInAddress: addressOf,
};

/** A limiter by the table of rates. */
export function limitRate(name: RateName): RequestHandler {
  const { limit, seconds } = RATES[name];
  return rateLimit({
    windowMs: seconds * 1000,
    limit: Math.max(1, Math.round(limit * env.RATE_LIMIT_FACTOR)),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: SIGN_IN[name] ?? byCaller,
    skipSuccessfulRequests: name in SIGN_IN,
    skip: (request) => (name === 'signInEmail' || name === 'signInAddress') && knownDevice(request) !== null,
    handler: (_request, response, next) => {
      const left = Number(response.getHeader('Retry-After') ?? seconds);
      next(new AppError('too_many', { seconds: left }));
    },
  });
}

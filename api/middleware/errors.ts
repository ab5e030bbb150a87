import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { MulterError } from 'multer';
import { AppError, type ErrorCode, toPublicError } from '../../models/contracts/errors.ts';
import { loggedAddress, logger } from '../../models/logger.ts';
import { asStoreFault } from '../../models/store/fault.ts';
import { writeErrorPage } from '../present/errorPage.ts';

/** Upload errors by multer's code. */
const MULTER: Partial<Record<MulterError['code'], ErrorCode>> = {
  LIMIT_FILE_SIZE: 'too_large',
  LIMIT_FILE_COUNT: 'several_files',
  LIMIT_UNEXPECTED_FILE: 'several_files',
};

/** Translates errors of libraries that the caller caused. */
function translate(error: unknown): unknown {
  if (error instanceof MulterError) return new AppError(MULTER[error.code] ?? 'no_file');
  const { type, status = 0 } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new AppError('body_too_large');
  if (error instanceof URIError || (status >= 400 && status < 500 && !(error instanceof AppError))) {
    return new AppError('bad_request');
  }
  return asStoreFault(error);
}

/** Whether a person followed a link and should get an HTML page. */
export const wantsPage = (request: Pick<Request, 'method' | 'accepts'>): boolean =>
  request.method === 'GET' && request.accepts(['json', 'html']) === 'html';

/**
 * Answers every error of the HTTP edge: known ones as they are, unknown ones as `internal` with a reference; as JSON,
 * or as a page for people who followed a link.
 */
export const answerErrors: ErrorRequestHandler = (given, request, response, next) => {
  if (response.headersSent) return next(given);
  const error = translate(given);
  const reference = String((request as { id?: unknown }).id ?? '');
  const { status, body } = toPublicError(error, reference);
  if (status >= 500) logger.error({ err: error, reference, path: loggedAddress(request.path) }, 'request failed');
  response.removeHeader('ETag');
  response.set('Cache-Control', 'no-store').status(status);
  if (wantsPage(request)) response.type('html').send(writeErrorPage(body));
  else response.json(body);
};

/** Answers requests that match no route. */
export const answerUnknown: RequestHandler = () => {
  throw new AppError('not_found');
};

import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { loggedAddress, REDACTED } from '../../models/logger.ts';

/** Logs calls, without what their addresses and headers hold of secrets. */
export function logRequests(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    redact: REDACTED,
    autoLogging: { ignore: ({ url = '' }) => !url.startsWith('/api') },
    customLogLevel: (_request, response, error) =>
      error || response.statusCode >= 500 ? 'error' : response.statusCode >= 400 ? 'info' : 'debug',
    serializers: {
      req: ({ id, method, url }: { id: unknown; method: string; url: string }) => ({
        id,
        method,
        url: loggedAddress(url),
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });
}

import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { loggedAddress } from '../../models/logger.ts';

/** Logs API calls without headers and without the secrets in their URLs. */
export function logRequests(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
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

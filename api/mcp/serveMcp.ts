import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Response as Answering, Request as Asked, RequestHandler } from 'express';
import type { TokenHolder } from '../../bot/engine/access/accessTokens.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { baseUrl } from '../../models/env.ts';
import { logger } from '../../models/logger.ts';
import { requireToken } from '../middleware/bearerToken.ts';
import { requireWellFormed } from '../middleware/bind.ts';
import { goneSignal } from '../middleware/tokenAccess.ts';
import { makeServer } from './makeServer.ts';

const handler = createMcpHandler(
  ({ authInfo }) => {
    const holder = authInfo?.extra?.holder as TokenHolder | undefined;
    if (!holder) throw new Error('A request reached /mcp without a token.');
    return makeServer(holder);
  },
  {
    maxRequestBodySize: LIMITS.outside.bodyBytes,
    // Its tools change with the hired agents only, so nothing is announced on open streams.
    maxSubscriptions: 1,
    onerror: (error) => logger.info({ err: error }, 'a request to /mcp was refused'),
  },
);

/** Streamable HTTP of the Model Context Protocol, stateless: each request is served by itself, in any process. */
export const serveMcp: RequestHandler = async (request, response) => {
  const holder = await requireToken(request, response);
  requireWellFormed(request);
  const { token } = holder;
  const authInfo = { token: '', clientId: String(token._id), scopes: [...token.scopes], extra: { holder } };
  const asked = toWebRequest(request, goneSignal(response));
  const parsed = request.body === undefined ? {} : { parsedBody: request.body as unknown };
  await sendWebResponse(response, await handler.fetch(asked, { authInfo, ...parsed }));
};

/** The request without its body, which is parsed already. */
function toWebRequest(request: Asked, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  headers.delete('authorization');
  return new Request(new URL(request.originalUrl, baseUrl()), { method: request.method, headers, signal });
}

async function sendWebResponse(response: Answering, answer: Response): Promise<void> {
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch((error: unknown) => {
    // The program has gone; its question stays asked.
    if (!response.destroyed) throw error;
  });
}

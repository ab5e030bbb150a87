import type { Client } from '@modelcontextprotocol/client';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { PRODUCT_VERSION } from '../../../models/contracts/productVersion.ts';
import { logger } from '../../../models/logger.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import type { ToolServerRow } from '../../../models/toolServer.ts';
import { fetchPublic } from '../network/fetchPublic.ts';
import type { ListedTool } from './declarations.ts';

type Place = Pick<ToolServerRow, '_id' | 'accountId'>;
/** The context of a server's sealed secret. */
export const toolServerContext = ({ accountId, _id }: Place) => `tool-server:${accountId}:${_id}`;

/** Encrypts the bearer token of a server. */
export const sealSecret = (secret: string, place: Place) => seal(secret, toolServerContext(place));

const MAX_PAGES = 10;

/** Schemas of a server are not compiled: they are outsiders' text, and a pattern in one could stop the process. */
const uncheckedSchemas = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
};

type Connection = {
  client: Client;
  tools: ListedTool[];
  /** Ends with the connection's time, or when the caller gives up. */
  signal: AbortSignal;
};

/**
 * Connects to a server, reads its tools, and does something with the connection, all within one time limit.
 * @throws AppError tool_server_failed where it does not answer as the protocol asks, and what `use` throws
 */
export async function withServer<T>(
  server: Pick<ToolServerRow, '_id' | 'accountId' | 'url' | 'secret'>,
  outer: AbortSignal | null,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const milliseconds = LIMITS.toolServers.seconds * 1000;
  const limit = AbortSignal.timeout(milliseconds);
  const signal = outer ? AbortSignal.any([outer, limit]) : limit;
  // The library takes memory; it is loaded where a company uses servers.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const secret = server.secret && unseal<string>(server.secret, toolServerContext(server));
  const client = new Client(
    { name: 'Arc', version: PRODUCT_VERSION },
    { jsonSchemaValidator: uncheckedSchemas, listMaxPages: MAX_PAGES, versionNegotiation: { mode: 'auto' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: (url, init = {}) =>
      fetchPublic(
        url,
        { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal },
        { maxBytes: LIMITS.toolServers.bytes },
      ),
    requestInit: { headers: secret ? { Authorization: `Bearer ${secret}` } : {} },
    reconnectionOptions: {
      ...{ maxRetries: 0, initialReconnectionDelay: 1000, maxReconnectionDelay: 1000 },
      reconnectionDelayGrowFactor: 1,
    },
  });
  try {
    const options = { signal, timeout: milliseconds };
    await client.connect(transport, options);
    const { tools } = await client.listTools({}, options);
    return await use({ client, tools, signal });
  } catch (error) {
    outer?.throwIfAborted();
    if (error instanceof AppError) throw error;
    logger.info({ err: error }, 'an MCP server failed');
    throw new AppError('tool_server_failed', {}, { cause: error });
  } finally {
    await client.close().catch(() => undefined);
  }
}

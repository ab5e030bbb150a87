import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type CallToolResult, createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

/** A tool of the fake: what it declares, and what a call of it gives. */
export type FakeTool = {
  description: string;
  title?: string;
  /** JSON schema of each argument. */
  properties?: Record<string, object>;
  annotations?: Record<string, unknown>;
  run?(input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> | CallToolResult;
};

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

type Settings = { tools: Record<string, FakeTool>; secret?: string };
type Misbehave = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * A company's MCP server, made with the protocol's own library. Its tools can be changed while it runs; `misbehave`
 * takes over a request below the protocol where it returns true.
 */
export async function startMcpServer(settings: Settings) {
  const it = {
    tools: { ...settings.tools },
    misbehave: null as Misbehave | null,
    /** The calls of tools, in order. */
    calls: [] as { name: string; input: Record<string, unknown>; key: unknown }[],
    headers: [] as IncomingHttpHeaders[],
  };
  const makeServer = () => {
    const server = new McpServer({ name: 'fake', version: '1' });
    for (const [name, tool] of Object.entries(it.tools)) {
      const { title, description, annotations, properties = {} } = tool;
      const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object', properties } as never);
      server.registerTool(
        name,
        { description, inputSchema, ...(title ? { title } : {}), ...(annotations ? { annotations } : {}) },
        async (input, { mcpReq }) => {
          it.calls.push({ name, input, key: mcpReq._meta?.['arc/idempotencyKey'] });
          return (await tool.run?.(input, mcpReq.signal)) ?? textResult('Done.');
        },
      );
    }
    return server;
  };
  const handler = createMcpHandler(makeServer, { onerror: () => undefined });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    it.headers.push(request.headers);
    if (settings.secret && request.headers.authorization !== `Bearer ${settings.secret}`) {
      response.writeHead(401).end('no');
      return;
    }
    if (it.misbehave?.(request, response)) return;
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const body = Buffer.concat(parts).toString('utf8');
    const answer = await handler.fetch(
      new Request(new URL(request.url ?? '/', url), {
        ...{ method: request.method ?? 'GET', headers, signal: gone.signal },
        ...(body ? { body } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body)
      Readable.fromWeb(answer.body as ReadableStream)
        .on('error', () => response.destroy())
        .pipe(response);
    else response.end();
  };
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return Object.assign(it, {
    url,
    closeConnections: () => server.closeAllConnections(),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

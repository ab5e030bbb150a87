import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** A foreign client of the Model Context Protocol. `legacy` speaks the revision of 2025, `auto` the one of 2026. */
export async function connectMcp(url: string, secret: string, mode: 'legacy' | 'auto' = 'legacy') {
  const client = new Client({ name: 'foreign', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    }),
  );
  return {
    client,
    /** Calls a tool. @returns its structured result, or the text of its refusal */
    async use(name: string, given: Record<string, unknown> = {}) {
      const result = await client.callTool({ name, arguments: given });
      const [first] = result.content as { text?: string }[];
      return {
        refused: result.isError ? first?.text : undefined,
        // biome-ignore lint/suspicious/noExplicitAny: the result of any tool
        result: result.structuredContent as any,
      };
    },
    close: () => client.close(),
  };
}

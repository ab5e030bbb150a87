import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { TokenHolder } from '../../bot/engine/access/accessTokens.ts';
import { requireActivePlan } from '../../bot/engine/accounts/trial.ts';
import { type OfferedProgramTool, toolsFor } from '../../bot/engine/outside/programTools.ts';
import { toPublicError } from '../../models/contracts/errors.ts';
import { PRODUCT_VERSION } from '../../models/contracts/productVersion.ts';
import { logger } from '../../models/logger.ts';
import { runInAccount } from '../../models/store/context.ts';
import { asStoreFault } from '../../models/store/fault.ts';

const INSTRUCTIONS =
  'Arc puts questions to the people of one company and runs its agents. What people answer is final. Arc never says that something is safe, accepted or compliant; neither should you on its behalf.';

const ANNOTATIONS: Record<OfferedProgramTool['effect'], object> = {
  reads: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  // Started once per key, so that a repeat changes nothing.
  starts: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** A server for one request of one token: it holds nothing between requests, so that any process can serve them. */
export async function makeServer(holder: TokenHolder): Promise<McpServer> {
  const { accountId } = holder.token;
  const server = new McpServer({ name: 'arc', title: 'Arc', version: PRODUCT_VERSION }, { instructions: INSTRUCTIONS });
  for (const tool of await runInAccount(accountId, () => toolsFor(holder))) {
    const { name, title, description, input, output, effect } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        ...(output ? { outputSchema: output } : {}),
        annotations: { title, ...ANNOTATIONS[effect] },
      },
      (given, { mcpReq }) =>
        runInAccount(accountId, async () => {
          if (effect === 'starts') await requireActivePlan(accountId);
          return toResult(await tool.run(given, mcpReq.signal));
        }).catch(toFailure),
    );
  }
  return server;
}

const toResult = (result: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result,
});

/** A refusal in the registry's words; anything unknown says nothing of the inside. */
function toFailure(error: unknown): CallToolResult {
  const { status, body } = toPublicError(asStoreFault(error));
  if (status >= 500) logger.error({ err: error }, 'a tool of /mcp failed');
  const fields = Object.entries(body.fields ?? {}).map(([name, text]) => `${name}: ${text}`);
  return { isError: true, content: [{ type: 'text', text: [`${body.code}: ${body.error}`, ...fields].join('\n') }] };
}

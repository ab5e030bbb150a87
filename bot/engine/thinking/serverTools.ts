import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toOneLine } from '../../../models/contracts/oneLine.ts';
import type { OfferedTool } from '../llm/model.ts';
import { callServerTool } from '../toolServers/callServerTool.ts';
import { isReading } from '../toolServers/declarations.ts';
import { readUsableTools, type UsableTool } from '../toolServers/region.ts';
import { SERVER_TOOL, type Tool } from './tool.ts';

const NAME_LENGTH = 30;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The name that the model calls: of letters that every provider takes, and unique over the servers of an account. */
const nameFor = ({ server, tool }: UsableTool) =>
  `${SERVER_TOOL}${digestOf(`${server._id} ${tool.name}`).slice(0, 8)}_${tool.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, NAME_LENGTH)}`;

/** A tool of a server that a company allows, as a tool of its agent. */
function toTool(usable: UsableTool): Tool {
  const { server, tool } = usable;
  const { title, description, schema, digest } = tool.declared;
  // A line of the server's could pass for words of Arc beside the question that asks about the tool.
  const shown = `${toOneLine(title) || toOneLine(tool.name)} (${server.name})`;
  return {
    name: nameFor(usable),
    description: `From the company’s server “${server.name}”: ${description || title || tool.name}`,
    // The server checks the arguments against its schema, which the model gets as it is.
    input: z.record(z.string(), z.unknown()),
    offeredInput: JSON.parse(schema) as OfferedTool['input'],
    label: shown,
    effect: isReading(tool.declared) ? 'reads' : 'writes',
    // Another declaration is another tool: what was allowed without asking is asked again.
    allowedAs: `${nameFor(usable)}:${digest}`,
    async run(input, { accountId, key, signal }) {
      const serverId = String(server._id);
      const use = { accountId, serverId, name: tool.name, digest, key, signal };
      const text = await callServerTool({ ...use, input: input as Record<string, unknown> });
      return { text, sources: [{ label: shown, url: null }] };
    },
  };
}

/** The tools of servers that an agent may use now. */
export const readServerTools = async (accountId: number, userAgentId: number): Promise<Tool[]> =>
  (await readUsableTools(accountId, userAgentId)).map(toTool);

import { env } from '../../../models/env.ts';
import { type ServerToolRow, ToolServer, type ToolServerRow } from '../../../models/toolServer.ts';
import { isOn } from './declarations.ts';

/** Whether the administrator of the deployment lets data go to a server. */
export const isUsable = ({ isInUk }: Pick<ToolServerRow, 'isInUk'>, from = env): boolean =>
  from.MCP_REGION === 'outside-uk-accepted' || (from.MCP_REGION === 'uk' && isInUk);

/** A tool that an agent may use, with its server. */
export type UsableTool = { server: ToolServerRow; tool: ServerToolRow };

/** The tools of servers that an agent may use now, oldest server first. */
export async function readUsableTools(accountId: number, userAgentId: number): Promise<UsableTool[]> {
  if (env.MCP_REGION === '') return [];
  const servers = await ToolServer.find({ accountId, userAgentIds: userAgentId }).sort({ createdAt: 1 }).lean();
  return servers
    .filter((server) => isUsable(server))
    .flatMap((server) => server.tools.filter(isOn).map((tool) => ({ server, tool })));
}

/** One tool that is on; null where it may not be used. */
export async function findUsable(accountId: number, serverId: string, name: string): Promise<UsableTool | null> {
  const server = await ToolServer.findOne({ _id: serverId, accountId }).lean();
  const tool = server?.tools.find((one) => one.name === name);
  return server && tool && isUsable(server) && isOn(tool) ? { server, tool } : null;
}

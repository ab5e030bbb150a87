import { changesOf, isReading, stateOf } from '../../bot/engine/toolServers/declarations.ts';
import { isUsable } from '../../bot/engine/toolServers/region.ts';
import type { ListedServer } from '../../bot/engine/toolServers/servers.ts';
import type { ToolServerView } from '../../models/contracts/toolServers.ts';

/** An MCP server as owners see it, without its secret. */
export const presentToolServer = (row: ListedServer): ToolServerView => ({
  id: String(row._id),
  name: row.name,
  url: row.url,
  hasSecret: row.secret !== null,
  isInUk: row.isInUk,
  isUsable: isUsable(row),
  userAgentIds: [...row.userAgentIds],
  tools: row.tools.map((tool) => ({
    name: tool.name,
    title: tool.declared.title,
    description: tool.declared.description,
    inputSchema: tool.declared.schema,
    reads: isReading(tool.declared),
    state: stateOf(tool),
    digest: tool.declared.digest,
    changes: changesOf(tool),
  })),
  leftOut: row.leftOut,
  addedBy: row.adderName,
  createdAt: row.createdAt.toISOString(),
  checkedAt: row.checkedAt.toISOString(),
});

import type { Workspace as View } from '../../models/contracts/userAgents.ts';
import type { WorkspaceRow } from '../../models/workspace.ts';

/** A piece of work as pages see it. */
export function presentWorkspace(row: WorkspaceRow, pages: ReadonlyMap<string, string>): View {
  return {
    id: row._id,
    userAgentId: row.userAgentId,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    goal: row.goal,
    thinking: row.thinking,
    output: row.output,
    page: pages.get(String(row.runId)) ?? null,
    figmaLink: null,
    figmaFileKey: null,
  };
}

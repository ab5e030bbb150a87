import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { Workspace, type WorkspaceRow } from '../../../models/workspace.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';

/** Most workspaces listed for an agent. */
const MAX_LISTED = 100;

/**
 * The workspaces (pieces of work) of an agent, newest first.
 * @param agent its catalogue id, or its id as a hired agent
 * @throws AppError not_found for an id that is not a hired agent of the account
 */
export async function readWorkspaces(accountId: number, agent: AgentId | number): Promise<WorkspaceRow[]> {
  const isHired = typeof agent === 'number';
  if (isHired) await requireHiredAgent(accountId, agent);
  return Workspace.find({ accountId, ...(isHired ? { userAgentId: agent } : { agentId: agent }) })
    .sort({ createdAt: -1 })
    .limit(MAX_LISTED)
    .lean();
}

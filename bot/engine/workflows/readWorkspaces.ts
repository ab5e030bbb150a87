import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { Workspace, type WorkspaceRow } from '../../../models/workspace.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';

/** How many pieces of work of an agent are listed. */
const MAX_LISTED = 100;

/**
 * The pieces of work of an agent, newest first.
 * @param agent its id in the catalogue, or its number as a hired agent
 * @throws AppError not_found where a number is none of the account's hired agents
 */
export async function readWorkspaces(accountId: number, agent: AgentId | number): Promise<WorkspaceRow[]> {
  const isHired = typeof agent === 'number';
  if (isHired) await requireHiredAgent(accountId, agent);
  return Workspace.find({ accountId, ...(isHired ? { userAgentId: agent } : { agentId: agent }) })
    .sort({ createdAt: -1 })
    .limit(MAX_LISTED)
    .lean();
}

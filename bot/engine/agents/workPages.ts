import { isAgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { WorkspaceRow } from '../../../models/workspace.ts';
import { registeredAgent } from './registry.ts';

/** The paths of the pages that show what pieces of work of one agent made, by the run's id. */
export async function findWorkPages(accountId: number, works: readonly WorkspaceRow[]): Promise<Map<string, string>> {
  const agentId = works[0]?.agentId;
  if (!isAgentId(agentId)) return new Map();
  const runIds = works.map(({ runId }) => runId);
  return (await registeredAgent(agentId).workPages?.(accountId, runIds)) ?? new Map();
}

import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';

/**
 * A hired agent that must have this catalogue id: calls for one agent's work reject other agents.
 * @throws AppError not_found, wrong_agent
 */
export async function requireAgentOf(who: Who, userAgentId: number, agentId: AgentId): Promise<UserAgentRow> {
  const userAgent = await requireHiredAgent(who.accountId, userAgentId);
  if (userAgent.agentId !== agentId) {
    throw new AppError('wrong_agent', { agent: `the agent “${findAgent(agentId)?.role ?? agentId}”` });
  }
  return userAgent;
}

/**
 * {@link requireAgentOf}, and onboarded.
 * @throws AppError not_found, wrong_agent, agent_not_ready
 */
export async function requireReadyAgentOf(who: Who, userAgentId: number, agentId: AgentId): Promise<UserAgentRow> {
  const userAgent = await requireAgentOf(who, userAgentId, agentId);
  if (userAgent.status !== 'onboarded') throw new AppError('agent_not_ready');
  return userAgent;
}

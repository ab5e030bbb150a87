import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { Agent } from './agent.ts';

const agents = new Map<AgentId, Agent>();

/** Notes the declaration of an agent; a later one replaces it. */
export function noteAgent(agent: Agent): void {
  agents.set(agent.id, agent);
}

/** Every agent, in registration order. */
export const registeredAgents = (): Agent[] => [...agents.values()];

/**
 * The declaration of an agent, by catalogue id.
 * @throws where it is not registered, a defect
 */
export function registeredAgent(id: AgentId): Agent {
  const agent = agents.get(id);
  if (!agent) throw new Error(`No agent is called ${id}.`);
  return agent;
}

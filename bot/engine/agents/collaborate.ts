import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { AgentOutput } from '../../../models/contracts/collaborate.ts';
import { registeredAgent, registeredAgents } from './registry.ts';

/** Ids of the agents that take part in a visitor's collaboration, sorted. */
export const collaborators = (): AgentId[] =>
  registeredAgents()
    .filter(({ contribute }) => contribute)
    .map(({ id }) => id)
    .sort();

/** One agent's contribution. */
export function contribute(agentId: AgentId, goal: string): AgentOutput {
  const agent = findAgent(agentId);
  const { thinking, output } = registeredAgent(agentId).contribute?.(goal) ?? { thinking: '', output: '' };
  const notYet =
    agent?.status === 'in-preparation'
      ? `\n**In preparation**: ${agent.displayName}’s own work on your documents.`
      : '';
  return {
    agentId,
    agentName: agent?.displayName ?? agentId,
    role: agent?.role ?? '',
    thinking,
    output: output + notYet,
    timestamp: new Date().toISOString(),
  };
}

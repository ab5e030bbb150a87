import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow } from '../../../models/file.ts';
import { registerExports } from '../delivery/ownExports.ts';
import { registerQuestionKind } from '../questions/kinds/index.ts';
import { registerWorkflow } from '../workflows/workflow.ts';
import type { Agent, Route, Scheduled } from './agent.ts';

const agents = new Map<AgentId, Agent>();

/** Makes agents known, with their workflows and their kinds of question: once, before anything is worked. */
export function registerAgents(list: readonly Agent[]): void {
  for (const agent of list) {
    agents.set(agent.id, agent);
    for (const workflow of agent.workflows) registerWorkflow(workflow);
    for (const kind of agent.questionKinds ?? []) registerQuestionKind(kind);
    if (agent.isExport) registerExports(agent.id, agent.isExport);
  }
}

/** Every agent, in the order of the list. */
export const registeredAgents = (): Agent[] => [...agents.values()];

/** The agent's own part, by catalogue id. */
export function agentNamed(id: AgentId): Agent {
  const agent = agents.get(id);
  if (!agent) throw new Error(`No agent is called ${id}.`);
  return agent;
}

/** The files that work asked for in a conversation would be done on, by what they are to the agents. */
export async function readReadyFiles(conversation: ConversationRow): Promise<Record<string, FileRow['_id'] | null>> {
  const found = await Promise.all(registeredAgents().map((agent) => agent.files?.ready(conversation) ?? {}));
  return Object.assign({}, ...found);
}

/** The agent that does what is scheduled, and what it begins then; null where none does. */
export function agentForAction(
  action: string,
): { agent: Agent; begin: (due: Scheduled) => Promise<Route> | Route } | null {
  for (const agent of agents.values()) {
    const begin = ownEntry(agent.schedules ?? {}, action);
    if (begin) return { agent, begin };
  }
  return null;
}

/** The agent whose search a channel asks for by its name; null where none has it. */
export const agentForSearch = (id: unknown): Agent | null =>
  registeredAgents().find((agent) => agent.search && findAgent(agent.id)?.search?.id === id) ?? null;

/** Has the agent whose export a name stands for make it. @returns null where it stands for no export of the account */
export async function makeExport(accountId: number, name: string): Promise<FileRow | null> {
  for (const agent of agents.values()) {
    const made = await agent.makeExport?.(accountId, name);
    if (made) return made;
  }
  return null;
}

/** Ends what the agents hold, once nothing is worked any more. */
export async function closeAgents(): Promise<void> {
  await Promise.all(registeredAgents().map((agent) => agent.close?.()));
}

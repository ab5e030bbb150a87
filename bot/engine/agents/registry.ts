import { findAgent } from '../../../models/contracts/catalogue.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow } from '../../../models/file.ts';
import { registerSubjects } from '../audit/subjectNames.ts';
import { registerExports } from '../delivery/ownExports.ts';
import { registerQuestionKind } from '../questions/kinds/index.ts';
import { registerSharedTools } from '../thinking/sharedTools.ts';
import { registerWorkflow } from '../workflows/workflow.ts';
import type { Agent, Route, Scheduled } from './agent.ts';
import { askAgentTool } from './askAgentTool.ts';
import { notYetWorkflow } from './inPreparation.ts';
import { noteAgent, registeredAgents } from './registered.ts';
import { relayWorkflow } from './relay.ts';

export { registeredAgent, registeredAgents } from './registered.ts';

/** Registers agents with their workflows and kinds of question. Call once, before any work starts. */
export function registerAgents(list: readonly Agent[]): void {
  // Runs from when an agent was in preparation are still read.
  registerWorkflow(notYetWorkflow);
  registerWorkflow(relayWorkflow);
  registerSharedTools([askAgentTool]);
  for (const agent of list) {
    noteAgent(agent);
    for (const workflow of agent.workflows) registerWorkflow(workflow);
    for (const kind of agent.questionKinds ?? []) registerQuestionKind(kind);
    if (agent.isExport) registerExports(agent.id, agent.isExport);
    for (const [kind, reader] of Object.entries(agent.auditSubjects ?? {})) registerSubjects(kind, reader);
  }
}

/** Ids of the files that new work in a conversation would use, by kind, over all agents. */
export async function readReadyFiles(conversation: ConversationRow): Promise<Record<string, FileRow['_id'] | null>> {
  const found = await Promise.all(registeredAgents().map((agent) => agent.files?.ready(conversation) ?? {}));
  return Object.assign({}, ...found);
}

/** The agent with this schedulable action, and how to start it; null where there is none. */
export function agentForAction(
  action: string,
): { agent: Agent; begin: (due: Scheduled) => Promise<Route> | Route } | null {
  for (const agent of registeredAgents()) {
    const begin = ownEntry(agent.schedules ?? {}, action);
    if (begin) return { agent, begin };
  }
  return null;
}

/** The agent with this search id; null where there is none. */
export const agentForSearch = (id: unknown): Agent | null =>
  registeredAgents().find((agent) => agent.search && findAgent(agent.id)?.search?.id === id) ?? null;

/**
 * Creates an export by its name, asking each agent in turn.
 * @returns null where it is no export of the account
 */
export async function makeExport(accountId: number, name: string): Promise<FileRow | null> {
  for (const agent of registeredAgents()) {
    const made = await agent.makeExport?.(accountId, name);
    if (made) return made;
  }
  return null;
}

/** Closes every agent, after all work has stopped. */
export async function closeAgents(): Promise<void> {
  await Promise.all(registeredAgents().map((agent) => agent.close?.()));
}

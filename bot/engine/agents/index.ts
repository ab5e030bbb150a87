import type { AgentId } from '../../../models/contracts/catalogue.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow } from '../../../models/file.ts';
import { registerWorkflow } from '../workflows/workflow.ts';
import type { Agent, TakenFile } from './agent.ts';
import { clinicalSafety } from './clinical_safety/agent.ts';
import { analyseWorkflow } from './clinical_safety/analyse.ts';
import { answerWorkflow, replyWorkflow } from './clinical_safety/answer.ts';
import { mergeWorkflow } from './clinical_safety/merge.ts';
import { sampleWorkflow } from './clinical_safety/sample.ts';
import { generalAgents, generalWorkflow } from './general/agent.ts';

for (const workflow of [
  analyseWorkflow,
  answerWorkflow,
  replyWorkflow,
  mergeWorkflow,
  sampleWorkflow,
  generalWorkflow,
]) {
  registerWorkflow(workflow);
}

const agents = new Map<AgentId, Agent>([clinicalSafety, ...generalAgents].map((agent) => [agent.id, agent]));

/** The agent's own part, by catalogue id. */
export function agentNamed(id: AgentId): Agent {
  const agent = agents.get(id);
  if (!agent) throw new Error(`No agent is called ${id}.`);
  return agent;
}

/** Gives a file to the agent that takes files, the first in the order of the catalogue. @throws AppError invalid_file */
export async function acceptFile(conversation: ConversationRow, file: TakenFile, drop?: string): Promise<void> {
  const taker = [...agents.values()].find((agent) => agent.acceptFile);
  await taker?.acceptFile?.(conversation, file, drop);
}

/** Has the agent whose export a name stands for make it. @returns null where it stands for no export of the account */
export async function makeExport(accountId: number, name: string): Promise<FileRow | null> {
  for (const agent of agents.values()) {
    const made = await agent.makeExport?.(accountId, name);
    if (made) return made;
  }
  return null;
}

import {
  continueTask,
  createProject,
  createTask,
  listBoltProjects,
  processDocuments,
  startTask,
} from '../../models/contracts/agentWork.ts';
import type { BodyOf } from '../../models/contracts/endpoint.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import { call } from './call.ts';
import { refreshInterrupts, showInterrupt } from './interrupts.ts';
import { useCall } from './useCall.ts';

/** Gives an agent a task. */
export async function assignTask(agent: UserAgent, prompt: string): Promise<void> {
  if (agent.agentId === 'professionaliser') {
    await call(processDocuments, { params: { userAgentId: agent.id }, body: { objective: prompt } });
    return;
  }
  await call(createTask, {
    params: { userAgentId: agent.id },
    body: {
      type: 'task',
      prompt,
      context: { agentType: agent.agentId, timestamp: new Date().toISOString(), userAgentId: agent.id },
    },
  });
}

/** Starts the developer's workflow. */
export async function startDevelopment(taskObjective: string): Promise<void> {
  await call(startTask, { body: { taskObjective } });
}

/** Creates a project only. */
export async function startProject(userAgentId: number, prompt: string): Promise<void> {
  await call(createProject, { body: { prompt, userAgentId } });
}

/** Projects that the developer has made. */
export function useProjects(userAgentId: number) {
  return useCall(listBoltProjects, { params: { id: userAgentId } });
}

/** Goes on with a workflow that waits for this question. */
export async function continueWorkflow(interruptId: number, body: BodyOf<typeof continueTask>): Promise<Interrupt> {
  const resolved = await call(continueTask, { params: { interruptId }, body });
  await showInterrupt(resolved);
  void refreshInterrupts();
  return resolved;
}

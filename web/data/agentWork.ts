import {
  createProject,
  createTask,
  designComponents,
  designDemo,
  designHealth,
  designLayout,
  figmaExport,
  listBoltProjects,
  processDocuments,
  startTask,
} from '../../models/contracts/agentWork.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import { call } from './call.ts';
import { useCall } from './useCall.ts';

const HEALTH_POLL = 30_000;

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

export const DESIGN_ACTIONS = ['layout', 'components', 'demo', 'export'] as const;
export type DesignAction = (typeof DESIGN_ACTIONS)[number];

/** One of the designer's actions. */
export async function design(action: DesignAction, objective: string): Promise<void> {
  if (action === 'export') await call(figmaExport);
  else
    await call({ layout: designLayout, components: designComponents, demo: designDemo }[action], {
      body: { objective },
    });
}

/** Whether the design service is there. */
export function useDesignHealth() {
  return useCall(designHealth, {}, { poll: HEALTH_POLL });
}

import {
  continueTask,
  createFigma,
  createProject,
  createTask,
  designComponents,
  designDemo,
  designHealth,
  designLayout,
  figmaExport,
  generateDesign,
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

export const DESIGN_ACTIONS = ['layout', 'components', 'demo', 'create', 'generate', 'export'] as const;
export type DesignAction = (typeof DESIGN_ACTIONS)[number];

type DesignWish = { userAgentId: number; objective: string; figmaUrl: string };
const DESIGN: Record<DesignAction, (wish: DesignWish) => Promise<unknown>> = {
  layout: ({ objective }) => call(designLayout, { body: { objective } }),
  components: ({ objective }) => call(designComponents, { body: { objective } }),
  demo: ({ objective }) => call(designDemo, { body: { objective } }),
  create: ({ userAgentId, objective }) => call(createFigma, { params: { id: userAgentId }, body: { goal: objective } }),
  generate: ({ objective, figmaUrl }) =>
    call(generateDesign, { body: { figmaUrl, projectTitle: objective.slice(0, 200) } }),
  export: () => call(figmaExport),
};

/** One of the designer's actions. */
export async function design(action: DesignAction, wish: DesignWish): Promise<void> {
  await DESIGN[action](wish);
}

/** Goes on with a workflow that waits for this question. */
export async function continueWorkflow(interruptId: number, body: BodyOf<typeof continueTask>): Promise<Interrupt> {
  const resolved = await call(continueTask, { params: { interruptId }, body });
  await showInterrupt(resolved);
  void refreshInterrupts();
  return resolved;
}

/** Whether the design service is there. */
export function useDesignHealth() {
  return useCall(designHealth, {}, { poll: HEALTH_POLL });
}

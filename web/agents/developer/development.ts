import { createProject, listBoltProjects, startTask } from '../../../models/contracts/agentWork.ts';
import { POLLS } from '../../../models/contracts/limits.ts';
import { call } from '../../data/call.ts';
import { useCall } from '../../data/useCall.ts';

/** Starts the developer's workflow. */
export async function startDevelopment(taskObjective: string): Promise<void> {
  await call(startTask, { body: { taskObjective } });
}

/** Creates a project without the workflow. */
export async function startProject(userAgentId: number, prompt: string): Promise<void> {
  await call(createProject, { body: { prompt, userAgentId } });
}

/** The developer's projects, newest first. */
export function useProjects(userAgentId: number) {
  return useCall(listBoltProjects, { params: { id: userAgentId } }, { poll: POLLS.result });
}

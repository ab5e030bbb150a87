import { continueTask, createTask } from '../../models/contracts/agentWork.ts';
import type { BodyOf } from '../../models/contracts/endpoint.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import { call } from './call.ts';
import { refreshInterrupts, showInterrupt } from './interrupts.ts';

/** Gives an agent a task. */
export async function assignTask(agent: UserAgent, prompt: string): Promise<void> {
  await call(createTask, {
    params: { userAgentId: agent.id },
    body: {
      type: 'task',
      prompt,
      context: { agentType: agent.agentId, timestamp: new Date().toISOString(), userAgentId: agent.id },
    },
  });
}

/** Answers the question that a workflow waits for, and continues the workflow. */
export async function continueWorkflow(interruptId: number, body: BodyOf<typeof continueTask>): Promise<Interrupt> {
  const resolved = await call(continueTask, { params: { interruptId }, body });
  await showInterrupt(resolved);
  void refreshInterrupts();
  return resolved;
}

import { AGENTS, type AgentId } from '../../../../models/contracts/catalogue.ts';
import type { StepContext, StepResult, Workflow } from '../../workflows/workflow.ts';
import type { Agent } from '../agent.ts';

/** What an agent without workflows of its own can honestly say. */
export const generalWorkflow: Workflow = {
  name: 'general-answer',
  title: null,
  first: 'answer',
  reserve: 0,
  steps: { answer: { label: 'Answer', run: answer } },
};

async function answer({ agent, say }: StepContext): Promise<StepResult> {
  const text = `I am ${agent.displayName}, ${agent.role}. My own work is in preparation, so I did nothing with your message and it cost no credits. The clinical safety officer agent can read hazard logs and tickets today.`;
  await say({ key: 'answer', kind: 'text', text });
  return { done: { output: text }, cost: 0 };
}

const makeAgent = (id: AgentId): Agent => ({
  id,
  route: ({ text }) => ({ workflow: 'general-answer', goal: text, state: {} }),
});

export const generalAgents: Agent[] = AGENTS.filter(({ status }) => status === 'in-preparation').map(({ id }) =>
  makeAgent(id),
);

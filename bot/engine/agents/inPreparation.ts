import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { beginWith, type StepContext, type StepResult, type Workflow } from '../workflows/workflow.ts';
import { type Agent, defineAgent } from './agent.ts';

/** The only workflow of an agent that is in preparation: it says so. */
export const notYetWorkflow: Workflow = {
  name: 'general-answer',
  title: null,
  first: 'answer',
  reserve: 0,
  steps: { answer: { label: 'Answer', run: answer } },
};

const WORKING = AGENTS.filter(({ status }) => status === 'working')
  .map(({ displayName, role }) => `${displayName}, ${role}`)
  .join('; ');

async function answer({ agent, say }: StepContext): Promise<StepResult> {
  const text = `I am ${agent.displayName}, ${agent.role}. My own work is in preparation, so I did nothing with your message and it cost no credits. At work today: ${WORKING}.`;
  await say({ key: 'answer', kind: 'text', text });
  return { done: { output: text }, cost: 0 };
}

/** Declares an agent that is in preparation: it answers every message with that fact, free of charge. */
export const defineInPreparation = (id: AgentId, own: Pick<Agent, 'contribute'> = {}): Agent =>
  defineAgent({
    id,
    workflows: [notYetWorkflow],
    route: ({ text }) => beginWith(notYetWorkflow, text, {}),
    ...own,
  });

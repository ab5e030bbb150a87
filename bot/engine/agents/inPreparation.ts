import { AGENTS, findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { answerFreely } from '../intents/answerFreely.ts';
import { beginWith, type StepContext, type StepResult, type Workflow } from '../workflows/workflow.ts';
import { type Agent, defineAgent } from './agent.ts';

/** The only workflow of an agent that is in preparation: it says so, or answers what every agent answers. */
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

async function answer({ agent, say, state }: StepContext): Promise<StepResult> {
  const { general } = (state ?? {}) as { general?: unknown };
  const text =
    typeof general === 'string'
      ? general
      : `I am ${agent.displayName}, ${agent.role}. My own work is in preparation, so I did nothing with your message and it cost no credits. At work today: ${WORKING}.`;
  await say({ key: 'answer', kind: 'text', text });
  return { done: { output: text }, cost: 0 };
}

/** What a person can do until the work is available. */
const BY_HAND = 'Until then, work on it by hand, and keep your documents in the sandbox workspace.';

/** The refusal of work that is in preparation: it does nothing and costs nothing. */
export const refusalInPreparation = (what: string, instead = BY_HAND): AppError =>
  new AppError('in_preparation', { what, instead });

/** Declares an agent that is in preparation: it answers every message free of charge. */
export const defineInPreparation = (id: AgentId, own: Pick<Agent, 'contribute' | 'calls'> = {}): Agent =>
  defineAgent({
    id,
    workflows: [notYetWorkflow],
    async route({ text, userAgent: { accountId } }) {
      const agent = findAgent(id);
      const general = agent ? await answerFreely(text, agent, accountId) : null;
      return beginWith(notYetWorkflow, text, general === null ? {} : { general });
    },
    ...own,
  });

import { z } from 'zod';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Run } from '../../../models/run.ts';
import { namesAgent } from '../intents/readAsking.ts';
import { defineTool } from '../thinking/tool.ts';
import { agentCalled, askAgent, describeAsking } from './askAgent.ts';

const NAMES = AGENTS.map(({ displayName }) => displayName) as [string, ...string[]];
const WHO = AGENTS.map(({ displayName, role }) => `${displayName} (${role})`).join(', ');

/**
 * Lets an agent ask another one while it thinks. Where the person's own words do not name that agent, a person approves
 * it first, so that a text from outside that asks for an agent starts nothing.
 */
export const askAgentTool = defineTool({
  name: 'ask_agent',
  description: `Asks another agent of the company for its own work, and gives its answer: ${WHO}. Only for what your own tools can’t do, and only where the person asks for it.`,
  input: z.object({ agent: z.enum(NAMES), question: z.string().min(1).max(2000) }),
  label: 'Ask another agent',
  effect: 'asks',
  argumentLabels: { agent: 'Agent', question: 'Question' },
  isAskedFor: ({ agent }, message) => namesAgent(message, agentCalled(agent)),
  describe: ({ agent, question }, asker) => describeAsking(asker, agentCalled(agent), question),
  async run({ agent: name, question }, { accountId, runId, key, signal }) {
    const [run, agent] = [await Run.findOne({ _id: runId, accountId }).lean(), agentCalled(name)];
    if (!run) throw new AppError('not_found');
    const { text, isOk, charged } = await askAgent(run, { agent, question, key, signal });
    const by = `${agent.displayName}, ${agent.role}`;
    return { text, isOk, isOfCompany: true, sources: [{ label: by, url: null }], work: { by, charged } };
  },
});

import { defineAgent } from '../../engine/agents/agent.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, describesScreen } from './intents.ts';
import { designWorkflow } from './workflows/design.ts';
import { proposalWorkflow, replyWorkflow } from './workflows/proposal.ts';

/** The product designer: from a sentence to a clickable prototype. */
export const designer = defineAgent({
  id: 'designer',
  workflows: [designWorkflow, proposalWorkflow, replyWorkflow],
  calls,
  asksFor,
  schedules: { screen_design: ({ text }) => beginWith(designWorkflow, text, { objective: text }) },
  route: ({ text }) =>
    describesScreen(text) ? beginWith(designWorkflow, text, { objective: text }) : beginWith(replyWorkflow, text, {}),
});

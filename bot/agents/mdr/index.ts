import { defineAgent } from '../../engine/agents/agent.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { contribute } from './contribute.ts';
import { asksFor, readIntent } from './intents.ts';
import { answerWorkflow, replyWorkflow, routeMessage } from './workflows/answer.ts';
import { technicalFileWorkflow } from './workflows/technicalFile.ts';

/** The medical device agent, which assists a regulatory lead: class, requirements, technical file, dates. */
export const mdr = defineAgent({
  id: 'mdr',
  workflows: [technicalFileWorkflow, answerWorkflow, replyWorkflow],
  calls,
  asksFor,
  schedules: {
    mdr_technical_file: ({ text }) =>
      beginWith(technicalFileWorkflow, text || 'Check the MDR technical file', { request: text, isScheduled: true }),
  },
  route: ({ text, conversation, userAgent: { accountId } }) =>
    routeMessage(readIntent(text), text, { accountId, conversationId: conversation._id }),
  contribute,
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

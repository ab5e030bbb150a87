import { defineAgent } from '../../engine/agents/agent.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, readIntent } from './intents.ts';
import { developWorkflow } from './workflows/develop.ts';
import { replyWorkflow, routeMessage } from './workflows/reply.ts';
import { proposeWorkflow, readCodeWorkflow } from './workflows/repository.ts';

/** The full-stack developer: from an objective to a small working app with a test of its own. */
export const developer = defineAgent({
  id: 'developer',
  workflows: [developWorkflow, replyWorkflow, proposeWorkflow, readCodeWorkflow],
  calls,
  asksFor,
  schedules: { app_build: ({ text }) => beginWith(developWorkflow, text, { objective: text, isDirect: true }) },
  route: ({ text, userAgent: { accountId, _id } }) =>
    routeMessage(readIntent(text), { text, accountId, userAgentId: _id }),
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

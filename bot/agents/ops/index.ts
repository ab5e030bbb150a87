import { defineAgent } from '../../engine/agents/agent.ts';
import { takeTextFiles } from '../../engine/agents/textFiles.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, readIntent } from './intents.ts';
import { SOURCE_KIND } from './process/sources.ts';
import { procedureWorkflow } from './workflows/procedure.ts';
import { replyWorkflow, routeMessage } from './workflows/reply.ts';

/** The operations agent: from the description of a process to a procedure, a checklist and a risk register. */
export const ops = defineAgent({
  id: 'ops',
  workflows: [procedureWorkflow, replyWorkflow],
  calls,
  asksFor,
  schedules: {
    operating_procedure: ({ text }) =>
      beginWith(procedureWorkflow, text || 'Write a procedure', { request: text, isScheduled: true }),
  },
  route: ({ text, userAgent: { accountId } }) => routeMessage(readIntent(text), text, accountId),
  files: takeTextFiles({
    agentId: 'ops',
    kind: SOURCE_KIND,
    label: 'A description of a process',
    next: {
      text: 'Say “write an SOP from it”, or press the button.',
      label: 'Write an SOP from it',
      words: 'Write an SOP from it',
    },
  }),
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

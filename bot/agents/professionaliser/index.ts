import { defineAgent } from '../../engine/agents/agent.ts';
import { takeTextFiles } from '../../engine/agents/textFiles.ts';
import { runInThread } from '../../engine/files/threads.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, readIntent } from './intents.ts';
import { SOURCE_KIND } from './source/sources.ts';
import type { Request } from './thread/work.ts';
import { controlWorkflow } from './workflows/control.ts';
import { replyWorkflow, routeMessage } from './workflows/reply.ts';

/** The document professionaliser: from a rough document to a controlled one, every change tracked. */
export const professionaliser = defineAgent({
  id: 'professionaliser',
  workflows: [controlWorkflow, replyWorkflow],
  calls,
  asksFor,
  schedules: {
    document_control: ({ text }) =>
      beginWith(controlWorkflow, text || 'Bring a document into controlled form', { request: text, isScheduled: true }),
  },
  route: ({ text, userAgent: { accountId } }) => routeMessage(readIntent(text), text, accountId),
  files: takeTextFiles({
    agentId: 'professionaliser',
    kind: SOURCE_KIND,
    label: 'A document',
    async refuse({ fileName, bytes }, accountId) {
      const input: Request = { job: 'open', source: { name: fileName, bytes } };
      await runInThread('professionaliser', { accountId, input });
    },
    next: {
      text: 'Say “make it a controlled document”, or press the button.',
      label: 'Make it a controlled document',
      words: 'Make it a controlled document',
    },
  }),
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

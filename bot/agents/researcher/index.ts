import { defineAgent } from '../../engine/agents/agent.ts';
import { takeTextFiles } from '../../engine/agents/textFiles.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, readIntent, subjectOf } from './intents.ts';
import { briefWorkflow, SOURCE_KIND } from './workflows/brief.ts';
import { replyWorkflow, routeMessage } from './workflows/reply.ts';

/** The researcher: briefs over the company's documents, every sentence a quote with its document. */
export const researcher = defineAgent({
  id: 'researcher',
  workflows: [briefWorkflow, replyWorkflow],
  calls,
  asksFor,
  schedules: {
    research_brief: ({ text }) =>
      beginWith(briefWorkflow, text || 'Write a brief', { question: subjectOf(text), isScheduled: true }),
  },
  route: ({ text, userAgent: { accountId } }) => routeMessage(readIntent(text), text, accountId),
  files: takeTextFiles({
    agentId: 'researcher',
    kind: SOURCE_KIND,
    label: 'A document',
    next: {
      text: 'I’ll read it for your next briefs in this chat. Ask what your documents say about something.',
      label: 'Write a brief',
      words: 'Write a brief',
    },
  }),
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

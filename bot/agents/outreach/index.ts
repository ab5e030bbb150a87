import { defineAgent } from '../../engine/agents/agent.ts';
import { takeTextFiles } from '../../engine/agents/textFiles.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, readIntent } from './intents.ts';
import { LIST_TYPES, SOURCE_KIND } from './list/sources.ts';
import { draftReview } from './questions/draftReview.ts';
import { outreachWorkflow } from './workflows/outreach.ts';
import { optOutWorkflow, replyWorkflow, routeMessage } from './workflows/reply.ts';
import { thinkWorkflow } from './workflows/think.ts';

/** The outreach agent: from a list of people to drafts that a person approves one by one. It sends nothing. */
export const outreach = defineAgent({
  id: 'outreach',
  workflows: [outreachWorkflow, optOutWorkflow, replyWorkflow, thinkWorkflow],
  questionKinds: [draftReview],
  calls,
  asksFor,
  schedules: {
    outreach_drafts: ({ text }) =>
      beginWith(outreachWorkflow, text.split('\n', 1)[0] || 'Draft outreach', { request: text, isScheduled: true }),
  },
  route: ({ text, userAgent: { accountId } }) => routeMessage(readIntent(text), text, accountId),
  files: takeTextFiles({
    agentId: 'outreach',
    kind: SOURCE_KIND,
    label: 'A list of people',
    types: LIST_TYPES,
    next: {
      text: 'Say “draft outreach from it”, or press the button.',
      label: 'Draft outreach from it',
      words: 'Draft outreach from it',
    },
  }),
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

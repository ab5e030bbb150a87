import { defineAgent } from '../../engine/agents/agent.ts';
import { takeTextFiles } from '../../engine/agents/textFiles.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, readIntent } from './intents.ts';
import { SOURCE_KIND } from './source/sources.ts';
import { campaignWorkflow } from './workflows/campaign.ts';
import { replyWorkflow, routeMessage } from './workflows/reply.ts';
import { thinkWorkflow } from './workflows/think.ts';

/** The marketer: from documents about a product to positioning and copy, each claim checked against them. */
export const marketer = defineAgent({
  id: 'marketer',
  workflows: [campaignWorkflow, replyWorkflow, thinkWorkflow],
  calls,
  asksFor,
  schedules: {
    product_copy: ({ text }) => beginWith(campaignWorkflow, text || 'Write copy', { request: text, isScheduled: true }),
  },
  route: ({ text, userAgent: { accountId } }) => routeMessage(readIntent(text), text, accountId),
  files: takeTextFiles({
    agentId: 'marketer',
    kind: SOURCE_KIND,
    label: 'A text about a product',
    next: {
      text: 'Say “write copy from it”, or press the button.',
      label: 'Write copy from it',
      words: 'Write copy from it',
    },
  }),
  evaluate: async () => (await import('./evaluation/evaluate.ts')).evaluate(),
});

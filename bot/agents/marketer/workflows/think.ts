import { listPosts, saveMailDraft } from '../../../engine/crm/tools.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { defineThinking } from '../../../engine/thinking/defineThinking.ts';

/** Answers a question about posts and mails with a language model that uses the connected tools. */
export const thinkWorkflow = defineThinking({
  name: 'marketer-think',
  tools: [listPosts, saveMailDraft],
  derive() {
    const short = `The answer is in Arc: ${linkToChat()}`;
    return { redacted: short, reference: short };
  },
});

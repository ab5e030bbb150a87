import { makeCrmTools } from '../../../engine/crm/tools.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { defineThinking } from '../../../engine/thinking/defineThinking.ts';
import { makeOptOutCheck } from '../optOuts/address.ts';
import { readOptOuts } from '../optOuts/keepOptOuts.ts';

/** Answers a question about connected contacts, companies and posts with a language model that uses tools for them. */
export const thinkWorkflow = defineThinking({
  name: 'outreach-think',
  tools: makeCrmTools({
    readOptOutCheck: async (accountId) => makeOptOutCheck(await readOptOuts(accountId)),
  }),
  derive() {
    const short = `The answer is in Arc: ${linkToChat()}`;
    return { redacted: short, reference: short };
  },
});

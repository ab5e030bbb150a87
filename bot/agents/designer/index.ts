import { designerCard } from '../../../models/contracts/designer/card.ts';
import { defineAgent } from '../../engine/agents/agent.ts';
import { answerFreely } from '../../engine/intents/answerFreely.ts';
import { withoutCall } from '../../engine/intents/withoutCall.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { calls } from './calls/index.ts';
import { asksFor, describesScreen, readDesignFileIntent } from './intents.ts';
import { designWorkflow } from './workflows/design.ts';
import { readFilesWorkflow, routeDesignFile } from './workflows/designFile.ts';
import { linkWorkflow } from './workflows/linkPrototype.ts';
import { HELP, proposalWorkflow, replyWorkflow } from './workflows/proposal.ts';

/** The product designer: from a sentence to a clickable prototype. */
export const designer = defineAgent({
  id: 'designer',
  workflows: [designWorkflow, proposalWorkflow, replyWorkflow, linkWorkflow, readFilesWorkflow],
  calls,
  asksFor,
  schedules: { screen_design: ({ text }) => beginWith(designWorkflow, text, { objective: text }) },
  async route({ text, userAgent: { accountId, _id } }) {
    const designFile = readDesignFileIntent(text);
    if (designFile) return routeDesignFile(designFile, text, { accountId, userAgentId: _id });
    if (describesScreen(text))
      return beginWith(designWorkflow, text, { objective: withoutCall(text, designerCard.displayName) });
    const general = await answerFreely(text, designerCard, accountId, { help: HELP });
    return beginWith(replyWorkflow, text, general === null ? {} : { general });
  },
});

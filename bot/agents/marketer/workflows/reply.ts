import { marketerCard } from '../../../../models/contracts/marketer/card.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { canThinkWithCrm } from '../../../engine/crm/tools.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import type { Intent } from '../intents.ts';
import { sources } from '../source/sources.ts';
import { campaignWorkflow } from './campaign.ts';
import { summarise } from './describe.ts';
import { readCampaigns } from './keepCampaign.ts';
import { thinkWorkflow } from './think.ts';

/** Sends a free reply: what the agent does, or which copy it has written. */
export const replyWorkflow = defineReply('marketer-reply');

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I write positioning and copy from your documents. Say “Write copy from Dosewell brief.docx”, drop a Word, Markdown or text file, or paste the text below your request. Name further documents as evidence: “… with Survey of 2025.docx”.',
  'You get headlines, a post, a mail and a page, an A/B plan, and for each sentence the quote that bears it. Claims without evidence, and medical claims (treats, diagnoses, safe, proven, certified), are left out with the reason and the rule.',
  'I write copy by rules, without a language model, and every sentence is one of your documents’ own. You approve before it is final. Then the mail is saved as a draft without recipients and the post is prepared as a link, where such tools are connected; I publish nothing.',
].join('\n');

const STATES = { waiting: 'waits for approval', final: 'final', draft: 'draft' } as const;

async function listCopy(accountId: number): Promise<string> {
  const rows = await readCampaigns(accountId);
  if (rows.length === 0) return 'I have written no copy yet. Name a document about your product, or paste its text.';
  return rows.map(({ title, counts, state }) => `• ${title}: ${STATES[state]}; ${summarise(counts)}`).join('\n');
}

const GOAL = 'Write positioning and copy';

/** The request without the document that came with it. */
const goalOf = (text: string): string => sources.requestPart(text).trim().replace(/:$/, '') || GOAL;

/** The workflow for a message. One that holds a text about a product asks for copy. */
export async function routeMessage(intent: Intent | null, text: string, accountId: number): Promise<Route> {
  if (intent === 'campaign' || sources.pastedText(text) !== null)
    return beginWith(campaignWorkflow, goalOf(text), { request: text });
  if (intent === 'campaigns')
    return beginWith(replyWorkflow, text, { text: await listCopy(accountId), hasContent: true });
  const free = await answerFreely(text, marketerCard, accountId, { help: HELP });
  if (free === null && (await canThinkWithCrm(accountId)))
    return beginWith(thinkWorkflow, text, { question: text, grounded: HELP, isAnswer: false, fromLog: false });
  return beginWith(replyWorkflow, text, { text: free ?? HELP });
}

import { z } from 'zod';
import { outreachCard } from '../../../../models/contracts/outreach/card.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { canThinkWithCrm } from '../../../engine/crm/tools.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { beginWith, defineWorkflow } from '../../../engine/workflows/workflow.ts';
import type { Intent } from '../intents.ts';
import { pastedList, requestPart } from '../list/sources.ts';
import { countOptOuts, keepOptOuts } from '../optOuts/keepOptOuts.ts';
import { optOutsIn } from '../optOuts/readOptOuts.ts';
import { summarise, summariseDecided } from './describe.ts';
import { readLists } from './keepLists.ts';
import { outreachWorkflow } from './outreach.ts';
import { thinkWorkflow } from './think.ts';

/** Sends a free reply: what the agent does, or which drafts it has written. */
export const replyWorkflow = defineReply('outreach-reply');

/** Keeps opt-outs from a message, free of charge. */
export const optOutWorkflow = defineWorkflow({
  name: 'outreach-opt-out',
  state: z.object({ text: z.string() }),
  title: null,
  first: 'keep',
  reserve: 0,
  steps: {
    keep: {
      label: 'Keep the opt-outs',
      async run({ run: { accountId }, state, say }) {
        const found = optOutsIn([[state.text]]);
        await keepOptOuts(accountId, found);
        const text =
          found.length === 0
            ? 'I found no address and no domain in your message, so nothing was kept. Say “Opt out jo@example.org” or “Opt out @example.org”.'
            : `Kept for every list from now on: ${found.map(({ kind, value }) => (kind === 'domain' ? `everybody at ${value}` : value)).join('; ')}. Your company keeps ${await countOptOuts(accountId)} in all. Drafts that wait for a review leave them out of the files too.`;
        const short = found.length === 0 ? 'No opt-out was found.' : 'The opt-out is kept.';
        await say({ key: 'kept', kind: 'text', text, derived: { redacted: short, reference: short } });
        return { done: { output: short }, cost: 0 };
      },
    },
  },
});

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I write drafts to the people of a list that you give: a first mail and two follow-ups each. Say “Draft outreach from Leads.csv”, drop a CSV or Excel file, or paste a list with its head below your request. With a CRM connected, say “Draft outreach from our CRM”, with words of a company or role in quotation marks for some of its people. Lines “Offer: …”, “Ask: …” and “From: …” say what the mails should say; I ask for what is missing.',
  'Who opted out gets no draft: by a column of the list, a sheet or a document of your company whose name says so, or a message such as “Opt out jo@example.org” or “Opt out @example.org”. You approve each draft on its own, and get those as Excel and CSV; the texts without names are saved as a draft in the connected tool.',
  'I write drafts by rules, without a language model, make nothing up and never send anything.',
].join('\n');

async function listDrafts(accountId: number): Promise<string> {
  const rows = await readLists(accountId);
  const optOuts = `Opt-outs kept: ${await countOptOuts(accountId)}.`;
  if (rows.length === 0) return `I have written no drafts yet. Give me a list. ${optOuts}`;
  return [
    ...rows.map(
      ({ title, counts, state }) =>
        `• ${title}: ${summarise(counts)}; ${state === 'waiting' ? 'waits for the review' : summariseDecided(counts)}`,
    ),
    optOuts,
  ].join('\n');
}

const GOAL = 'Draft outreach';

/** The request without the list that came with it. */
const goalOf = (text: string): string => requestPart(text).split('\n', 1)[0]?.trim().replace(/:$/, '') || GOAL;

/** The workflow for a message. One that holds a list asks for drafts. */
export async function routeMessage(intent: Intent | null, text: string, accountId: number): Promise<Route> {
  if (intent === 'opt-out') return beginWith(optOutWorkflow, 'Keep an opt-out', { text });
  if (intent === 'outreach' || pastedList(text) !== null)
    return beginWith(outreachWorkflow, goalOf(text), { request: text });
  if (intent === 'lists')
    return beginWith(replyWorkflow, text, { text: await listDrafts(accountId), hasContent: true });
  const free = await answerFreely(text, outreachCard, accountId, { help: HELP });
  if (free === null && (await canThinkWithCrm(accountId)))
    return beginWith(thinkWorkflow, text, { question: text, grounded: HELP, isAnswer: false, fromLog: false });
  return beginWith(replyWorkflow, text, { text: free ?? HELP });
}

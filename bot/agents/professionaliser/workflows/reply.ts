import { professionaliserCard } from '../../../../models/contracts/professionaliser/card.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import type { Intent } from '../intents.ts';
import { sources } from '../source/sources.ts';
import { controlWorkflow } from './control.ts';
import { summarise } from './describePlan.ts';
import { readControlled } from './keepControlled.ts';

/** Sends a free reply: what the agent does, or which documents it has made. */
export const replyWorkflow = defineReply('professionaliser-reply');

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I bring a rough document into controlled form. Say “Make a controlled document of Incident procedure.docx”, drop a Word, Markdown or text file, or paste the text below your request.',
  'You get a Word file with a control block, numbered headings, terms, open points and a table of changes. Every change is tracked, so you accept or reject each. What nobody gave is marked, never made up: add lines such as “Version: 2” or “Owner: Jo Lind” to your request.',
  'I work by rules, without a language model. I rewrite no meaning and change no number, date, dose or name, and I save the draft only after you approve.',
].join('\n');

const STATES = { waiting: 'waits for approval', saved: 'saved as a draft', 'not-saved': 'not saved' } as const;

async function listDocuments(accountId: number): Promise<string> {
  const rows = await readControlled(accountId);
  if (rows.length === 0) return 'I have brought no document into controlled form yet. Name one, or paste its text.';
  return rows.map(({ title, counts, state }) => `• ${title}: ${STATES[state]}; ${summarise(counts)}`).join('\n');
}

/** The workflow for a message. */
export async function routeMessage(intent: Intent | null, text: string, accountId: number): Promise<Route> {
  if (intent === 'control')
    return beginWith(controlWorkflow, sources.requestPart(text).trim() || text, { request: text });
  if (intent === 'documents')
    return beginWith(replyWorkflow, text, { text: await listDocuments(accountId), hasContent: true });
  return beginWith(replyWorkflow, text, {
    text: (await answerFreely(text, professionaliserCard, accountId, { help: HELP })) ?? HELP,
  });
}

import { researcherCard } from '../../../../models/contracts/researcher/card.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { type Intent, subjectOf } from '../intents.ts';
import { namesSubject } from '../search/findPassages.ts';
import { briefWorkflow } from './brief.ts';
import { readBriefs, summarise } from './keepBrief.ts';

/** Sends a free reply: what the agent does, or which briefs it has written. */
export const replyWorkflow = defineReply('researcher-reply');

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I write briefs over your company’s documents, and over files that you drop into the chat with me. Ask “What do our documents say about dose rounding?”.',
  'Every sentence of a brief is a quote with its document, heading and line, as text and as a Word document. It also says which words of your question no document holds, and which documents I could not read.',
  'I work by words, without a language model, and add nothing of my own.',
].join('\n');

async function listBriefs(accountId: number): Promise<string> {
  const rows = await readBriefs(accountId);
  if (rows.length === 0) return 'I have written no brief yet. Ask what your documents say about something.';
  return rows.map(({ question, counts }) => `• ${question}: ${summarise(counts)}`).join('\n');
}

/** The workflow for a message. What is asked of the researcher, and is no small talk, is a question to the documents. */
export async function routeMessage(intent: Intent | null, text: string, accountId: number): Promise<Route> {
  if (intent === 'brief') return beginWith(briefWorkflow, text, { question: subjectOf(text) });
  if (intent === 'briefs')
    return beginWith(replyWorkflow, text, { text: await listBriefs(accountId), hasContent: true });
  const free = await answerFreely(text, researcherCard, accountId, { help: HELP });
  if (free === null && text.includes('?') && namesSubject(subjectOf(text)))
    return beginWith(briefWorkflow, text, { question: subjectOf(text) });
  return beginWith(replyWorkflow, text, { text: free ?? HELP });
}

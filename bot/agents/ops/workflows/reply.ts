import { opsCard } from '../../../../models/contracts/ops/card.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import type { Intent } from '../intents.ts';
import { readProcess } from '../process/readProcess.ts';
import { sources } from '../process/sources.ts';
import { summarise } from './describe.ts';
import { readProcedures } from './keepProcedure.ts';
import { procedureWorkflow } from './procedure.ts';

/** Sends a free reply: what the agent does, or which procedures it has written. */
export const replyWorkflow = defineReply('ops-reply');

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I turn the description of a process into a procedure. Say “Write an SOP from Vaccine delivery.docx”, drop a Word, Markdown or text file, or paste the description below your request.',
  'You get a Word document with purpose, scope, roles, numbered steps, records and exceptions, and a workbook with a checklist and a risk register. Each risk names its step and the words that it comes from; ratings are left for people.',
  'I work by rules, without a language model, and keep your words as they are. What the description does not say is marked for a person, never made up.',
].join('\n');

async function listProcedures(accountId: number): Promise<string> {
  const rows = await readProcedures(accountId);
  if (rows.length === 0) return 'I have written no procedure yet. Describe a process, or name a document that does.';
  return rows.map(({ title, counts }) => `• ${title}: ${summarise(counts)}`).join('\n');
}

const GOAL = 'Write a procedure';

/** The request without the description that came with it. */
const goalOf = (text: string): string => sources.requestPart(text).trim().replace(/:$/, '') || GOAL;

/** A message with at least this many steps is a description of a process, however short. */
const STEPS_OF_A_DESCRIPTION = 2;

/** The workflow for a message. One that holds a description asks for a procedure. */
export async function routeMessage(intent: Intent | null, text: string, accountId: number): Promise<Route> {
  if (intent === 'procedure' || sources.pastedText(text) !== null)
    return beginWith(procedureWorkflow, goalOf(text), { request: text });
  if (intent === 'procedures')
    return beginWith(replyWorkflow, text, { text: await listProcedures(accountId), hasContent: true });
  const free = await answerFreely(text, opsCard, accountId, { help: HELP });
  if (free === null && readProcess(text).steps.length >= STEPS_OF_A_DESCRIPTION)
    return beginWith(procedureWorkflow, GOAL, { request: text, isDescription: true });
  return beginWith(replyWorkflow, text, { text: free ?? HELP });
}

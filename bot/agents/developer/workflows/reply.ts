import { CODE_TOOL, developerCard } from '../../../../models/contracts/developer/card.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { readProjects } from '../../../engine/files/projects.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { withoutCall } from '../../../engine/intents/withoutCall.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { type Intent, readPath } from '../intents.ts';
import { developWorkflow } from './develop.ts';
import { beginProposal, readCodeWorkflow } from './repository.ts';

/** Sends a free reply: what the agent does, or which projects it has built. */
export const replyWorkflow = defineReply('developer-reply');

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I build small web apps: forms with rules, lists with filters, dashboards, calendars, kanban boards, calculators, wizards and landing pages. Say for example “Build a list of suppliers with name, city and status (active, paused)”.',
  'I show a plan, build it once you agree, and change it as often as you like: “add deadline; make name required”. You get a page that runs in your browser, and an archive with the page and a browser test.',
  'I work by rules, without a language model. An app keeps what is typed in one browser and sends nothing, and none is made for use with patients. Publishing is in preparation.',
  `With ${CODE_TOOL.name} connected and code chosen, “Open a pull request” proposes the latest app to the repository once you approve its files, and “Show src/ in the repository” reads it.`,
].join('\n');

async function listProjects(accountId: number, userAgentId: number): Promise<string> {
  const rows = await readProjects(accountId, userAgentId);
  if (rows.length === 0) return 'I have built nothing yet. Say what I should build.';
  return rows.map(({ name, objective }) => `• ${name}: ${objective}`).join('\n');
}

type Heard = { text: string; accountId: number; userAgentId: number };

/** The workflow for a message. */
export async function routeMessage(intent: Intent | null, { text, accountId, userAgentId }: Heard): Promise<Route> {
  if (intent === 'build')
    return beginWith(developWorkflow, text, { objective: withoutCall(text, developerCard.displayName) });
  if (intent === 'projects')
    return beginWith(replyWorkflow, text, { text: await listProjects(accountId, userAgentId), hasContent: true });
  if (intent === 'code') return beginWith(readCodeWorkflow, text, { path: readPath(text) });
  if (intent === 'propose')
    return (
      (await beginProposal(accountId, userAgentId)) ??
      beginWith(replyWorkflow, text, { text: 'I have built nothing to propose yet. Say what I should build.' })
    );
  return beginWith(replyWorkflow, text, {
    text: (await answerFreely(text, developerCard, accountId, { help: HELP })) ?? HELP,
  });
}

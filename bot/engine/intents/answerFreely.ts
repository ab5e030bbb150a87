import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { answerGeneral, describeStatus, type OwnTexts } from './answerGeneral.ts';
import { answerOtherLanguage } from './languages.ts';
import { readGeneral } from './readGeneral.ts';

/** Intents that an agent in preparation answers with that fact: nothing of its own can be done yet. */
const OF_WORK: readonly string[] = ['help', 'goal', 'files', 'export', 'undo', 'cancel'];

/**
 * What every agent answers to a message, whatever its work: small talk, what it is, what waits, who sees what, whose
 * work something is, and that it can't answer in another language. Free.
 * @returns null where the message is about the agent's own work
 */
export async function answerFreely(
  text: string,
  agent: CatalogueAgent,
  accountId: number,
  own: OwnTexts = {},
): Promise<string | null> {
  const foreign = answerOtherLanguage(text);
  if (foreign) return foreign;
  const intent = readGeneral(text, agent.id);
  if (!intent || (agent.status !== 'working' && OF_WORK.includes(intent))) return null;
  const status = intent === 'status' ? await describeStatus(accountId, own.next) : null;
  const onboarded = intent === 'other-agent' ? await readOnboardedIds(accountId) : null;
  return answerGeneral(intent, text, agent, status, own, onboarded);
}

/** Catalogue ids of the agents that an account has at work. */
const readOnboardedIds = async (accountId: number): Promise<string[]> =>
  (await UserAgent.find({ accountId, status: 'onboarded' }, { agentId: 1 }).lean()).map(({ agentId }) => agentId);

import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { CatalogueAgent as Agent } from '../../../models/contracts/catalogueAgent.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { baseUrl } from '../../../models/env.ts';
import type { Who } from '../../../models/policies/who.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { readEngineStatus } from '../accounts/engineStatus.ts';
import { hireAgent } from '../accounts/hireAgent.ts';
import { readBalance } from '../billing/credits.ts';
import { openConversation } from '../conversations/conversations.ts';
import { listQuestions } from '../interrupts/listQuestions.ts';

/** What the app itself does on a channel when it is told to, in words that any channel can say. */

/** The agent of the catalogue with such a name or id. */
export const agentCalled = (name: string): Agent | undefined =>
  AGENTS.find(({ id, displayName }) => [id, displayName.toLowerCase()].includes(name.trim().toLowerCase()));

const notYet = ({ status }: Agent): string => (status === 'in-preparation' ? ' (in preparation)' : '');

/** Lets an agent answer in a conversation from now on. @returns false where it is not onboarded */
export async function chooseAgentFor(who: Who, address: Address, agent: Agent): Promise<boolean> {
  const { accountId } = who;
  const userAgent = await UserAgent.findOne({ accountId, agentId: agent.id, status: 'onboarded' }).lean();
  if (!userAgent) return false;
  const conversation = await openConversation(accountId, address);
  await Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId: userAgent._id } });
  return true;
}

/** What waits, newest first. */
export async function listWaiting(who: Who): Promise<Question[]> {
  return (await listQuestions(who.accountId, who)).filter(({ status }) => status === 'pending');
}

/** The engine, the credits, and who is there. */
export async function describeAccount({ accountId }: Who): Promise<string> {
  const [engine, agents, balance] = await Promise.all([
    readEngineStatus(accountId),
    UserAgent.find({ accountId }).lean(),
    readBalance(accountId),
  ]);
  const list = agents.map(({ agentId, status }) => {
    const agent = agentCalled(agentId);
    return agent ? `• ${agent.displayName}, ${agent.role}: ${status}${notYet(agent)}` : `• ${agentId}: ${status}`;
  });
  return [`Engine: ${engine.model}. Credits: ${balance.tokensRemaining.toLocaleString('en-GB')}.`, ...list].join('\n');
}

/** Who can be hired. */
export const describeCatalogue = () =>
  ['Who can be hired:', ...AGENTS.map((agent) => `• ${agent.displayName}, ${agent.role}${notYet(agent)}`)].join('\n');

/** Hires an agent, and says how it goes on. @throws AppError as {@link hireAgent} does */
export async function hireHere(who: Who, agent: Agent): Promise<string> {
  await hireAgent(who, agent.id);
  const work = agent.status === 'in-preparation' ? ' This agent’s own work is in preparation.' : '';
  return `${agent.displayName} is hired.${work} Complete the onboarding at ${baseUrl()}/workspace`;
}

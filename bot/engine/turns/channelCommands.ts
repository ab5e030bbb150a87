import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { CatalogueAgent as Agent } from '../../../models/contracts/catalogueAgent.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { baseUrl } from '../../../models/env.ts';
import type { Who } from '../../../models/policies/who.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';
import { readEngineStatus } from '../accounts/engineStatus.ts';
import { hireAgent } from '../accounts/hireAgent.ts';
import { openConversation } from '../conversations/conversations.ts';
import { readBalance } from '../credits/credits.ts';
import { consentFor, linkToReview } from '../delivery/consent.ts';
import { shorten } from '../delivery/splitText.ts';
import { listQuestions } from '../interrupts/listQuestions.ts';
import { viewWithoutRows } from '../questions/kinds/index.ts';
import type { CommandReply, SaidCommand } from './command.ts';
import { assign, comment, snooze } from './questionCommands.ts';

/** Commands to the app itself, shared by all channels. */

/** The catalogue agent with this name or id. */
export const agentCalled = (name: string): Agent | undefined =>
  AGENTS.find(({ id, displayName }) => [id, displayName.toLowerCase()].includes(name.trim().toLowerCase()));

const notYet = ({ status }: Agent): string => (status === 'in-preparation' ? ' (in preparation)' : '');

/**
 * Makes an agent the one that answers in a conversation.
 * @returns false where it is not onboarded
 */
export async function chooseAgentFor(who: Who, address: Address, agent: Agent): Promise<boolean> {
  const { accountId } = who;
  const userAgent = await UserAgent.findOne({ accountId, agentId: agent.id, status: 'onboarded' }).lean();
  if (!userAgent) return false;
  const conversation = await openConversation(accountId, address);
  await Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId: userAgent._id } });
  return true;
}

/** The pending questions of an account, newest first. */
export async function listWaiting(who: Who): Promise<Question[]> {
  return (await listQuestions(who.accountId, who)).filter(({ status }) => status === 'pending');
}

/** The model, the credits and the hired agents, as text. */
export async function describeAccount({ accountId }: Who): Promise<string> {
  const [engine, agents, balance] = await Promise.all([
    readEngineStatus(accountId),
    UserAgent.find({ accountId, ...HIRED }).lean(),
    readBalance(accountId),
  ]);
  const list = agents.map(({ agentId, status }) => {
    const agent = agentCalled(agentId);
    return agent ? `• ${agent.displayName}, ${agent.role}: ${status}${notYet(agent)}` : `• ${agentId}: ${status}`;
  });
  return [`Engine: ${engine.model}. Credits: ${balance.tokensRemaining.toLocaleString('en-GB')}.`, ...list].join('\n');
}

/** The agents that can be hired, as text. */
export const describeCatalogue = () =>
  ['Who can be hired:', ...AGENTS.map((agent) => `• ${agent.displayName}, ${agent.role}${notYet(agent)}`)].join('\n');

/**
 * Hires an agent.
 * @returns the next step, as text
 * @throws AppError as {@link hireAgent} does
 */
export async function hireHere(who: Who, agent: Agent): Promise<string> {
  await hireAgent(who, agent.id);
  const work = agent.status === 'in-preparation' ? ' This agent’s own work is in preparation.' : '';
  return `${agent.displayName} is hired.${work} Complete the onboarding at ${baseUrl()}/workspace`;
}

/** Most pending questions listed, and most characters of each prompt. */
const MAX_LISTED = 10;
const MAX_PROMPT = 300;

/** The commands by their first word. */
export const CHANNEL_COMMANDS: Record<
  'agent' | 'inbox' | 'status' | 'hire' | 'assign' | 'snooze' | 'comment',
  (said: SaidCommand) => Promise<CommandReply>
> = {
  async agent({ who, address, rest, write }) {
    const wanted = agentCalled(rest);
    const others = `${write('status')} shows who is there.`;
    if (!wanted) return { text: `No agent is called “${rest || '…'}”. ${others}`, isMeant: false };
    const isChosen = await chooseAgentFor(who, address, wanted);
    const { displayName } = wanted;
    return {
      text: isChosen ? `${displayName} answers here from now on.` : `${displayName} is not onboarded yet. ${others}`,
      isMeant: true,
    };
  },
  async inbox({ who, address, rest, answerAt }) {
    const isMeant = rest === '';
    const [waiting, mode] = await Promise.all([listWaiting(who), consentFor(who.accountId, address.channel)]);
    if (waiting.length === 0) return { text: 'Nothing waits for you.', isMeant };
    const lines = waiting.slice(0, MAX_LISTED).map((question) => {
      const prompt = shorten(viewWithoutRows(question, mode).prompt, MAX_PROMPT);
      return `• ${question.agentName}: ${prompt} ${linkToReview(question.id)}`;
    });
    return { text: [`${waiting.length} waiting. ${answerAt}`, ...lines].join('\n'), isMeant };
  },
  async status({ who, rest }) {
    return { text: await describeAccount(who), isMeant: rest === '' };
  },
  async hire({ who, rest }) {
    const wanted = agentCalled(rest);
    return wanted
      ? { text: await hireHere(who, wanted), isMeant: true }
      : { text: describeCatalogue(), isMeant: rest === '' };
  },
  assign,
  snooze,
  comment,
};

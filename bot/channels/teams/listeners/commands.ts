import { AGENTS } from '../../../../models/contracts/catalogue.ts';
import { Conversation } from '../../../../models/conversation.ts';
import { baseUrl } from '../../../../models/env.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { UserAgent, type UserAgentRow } from '../../../../models/userAgent.ts';
import { readEngineStatus } from '../../../engine/accounts/engineStatus.ts';
import { hireAgent } from '../../../engine/accounts/hireAgent.ts';
import { readBalance } from '../../../engine/billing/credits.ts';
import { consentFor, linkToReview, questionUnder } from '../../../engine/delivery/consent.ts';
import { say } from '../../../engine/delivery/say.ts';
import { listQuestions } from '../../../engine/interrupts/listQuestions.ts';
import { openConversation } from '../../../engine/turns/conversations.ts';
import { addressOf } from '../address.ts';
import { shorten } from '../cards/text.ts';
import { isOn } from '../installations.ts';
import { identifyTeamsUser } from '../people.ts';
import { wordsFor } from './cardActions.ts';
import type { Source } from './source.ts';

const named = (name: string) =>
  AGENTS.find(({ id, displayName }) => [id, displayName.toLowerCase()].includes(name.trim().toLowerCase()));

type Said = { who: Who; rest: string; source: Source };

/** What the app itself does, by its whole first word; anything else is for an agent. */
const WORDS: Record<string, (said: Said) => Promise<string | null>> = {
  async agent({ who, rest, source }) {
    const wanted = named(rest);
    // "agent …" may be the beginning of any sentence: only a name makes it a command.
    if (!wanted) return null;
    const userAgent = await UserAgent.findOne({
      accountId: who.accountId,
      agentId: wanted.id,
      status: 'onboarded',
    }).lean();
    if (!userAgent) return `${wanted.displayName} is not onboarded yet. “status” shows who is there.`;
    const conversation = await openConversation(who.accountId, addressOf(source.place));
    await Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId: userAgent._id } });
    return `${wanted.displayName} answers here from now on.`;
  },
  async inbox({ who, rest }) {
    if (rest) return null;
    const [questions, mode] = await Promise.all([
      listQuestions(who.accountId, who),
      consentFor(who.accountId, 'teams'),
    ]);
    const pending = questions.filter(({ status }) => status === 'pending');
    if (pending.length === 0) return 'Nothing waits for you.';
    const lines = pending
      .slice(0, 10)
      .map(
        (question) =>
          `• ${question.agentName}: ${shorten(questionUnder(mode, question).prompt, 300)} ${linkToReview(question.id)}`,
      );
    return [
      `${pending.length} waiting. Answer on the card in its conversation, in the Inbox tab, or in Arc.`,
      ...lines,
    ].join('\n');
  },
  async status({ who, rest }) {
    if (rest) return null;
    const [engine, agents, balance] = await Promise.all([
      readEngineStatus(who.accountId),
      UserAgent.find({ accountId: who.accountId }).lean(),
      readBalance(who.accountId),
    ]);
    const list = (agents as UserAgentRow[]).map(
      ({ agentId, status }) => `• ${named(agentId)?.displayName ?? agentId}, ${named(agentId)?.role ?? ''}: ${status}`,
    );
    return [`Engine: ${engine.model}. Credits: ${balance.tokensRemaining.toLocaleString('en-GB')}.`, ...list].join(
      '\n',
    );
  },
  async hire({ who, rest }) {
    const wanted = named(rest);
    if (rest && !wanted) return null;
    if (!wanted)
      return ['Who can be hired:', ...AGENTS.map(({ displayName, role }) => `• ${displayName}, ${role}`)].join('\n');
    await hireAgent(who, wanted.id);
    return `${wanted.displayName} is hired. Complete the onboarding at ${baseUrl()}/workspace`;
  },
};

/**
 * Answers a message that is a command of the app.
 * @returns whether it was one; a stranger's never is, and is answered as any of their messages
 */
export async function answerCommand(source: Source, words: string): Promise<boolean> {
  const { installation, activity, place } = source;
  const [word = '', ...rest] = words.split(/\s+/);
  const run = WORDS[word.toLowerCase()];
  const reference = run && (await isOn(installation)) ? await source.reference() : null;
  if (!run || !reference) return false;
  const { who } = await identifyTeamsUser(installation, reference, activity.from.id);
  if (!who) return false;
  const text = await run({ who, rest: rest.join(' '), source }).catch((error: unknown) => wordsFor(error, activity.id));
  if (text === null) return false;
  // Said by its key, so that a command that comes twice is answered once.
  const conversation = await openConversation(installation.row.accountId, addressOf(place));
  await say(conversation, { key: `command:${activity.id}`, messageType: 'system', kind: 'text', text });
  return true;
}

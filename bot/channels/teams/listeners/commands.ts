import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { logger } from '../../../../models/logger.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { consentFor, linkToReview } from '../../../engine/delivery/consent.ts';
import { say } from '../../../engine/delivery/say.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewQuestion } from '../../../engine/questions/kinds/index.ts';
import {
  agentCalled,
  chooseAgentFor,
  describeAccount,
  describeCatalogue,
  hireHere,
  listWaiting,
} from '../../../engine/turns/channelCommands.ts';
import { identifyTeamsUser } from '../identity/people.ts';
import { isOn } from '../install/installations.ts';
import { addressOf } from '../platform/address.ts';
import { TeamsRefusal } from '../platform/refusal.ts';
import { wordsFor } from './cardActions.ts';
import type { Source } from './source.ts';

type Said = { who: Who; rest: string; source: Source };
const SHOWN = 10;

/** What the app itself does, by its whole first word; null where the words are for an agent all the same. */
const WORDS: Record<string, (said: Said) => Promise<string | null>> = {
  async agent({ who, rest, source }) {
    const wanted = agentCalled(rest);
    // "agent …" may be the beginning of any sentence: only a name makes it a command.
    if (!wanted) return null;
    const chosen = await chooseAgentFor(who, addressOf(source.place), wanted);
    return chosen
      ? `${wanted.displayName} answers here from now on.`
      : `${wanted.displayName} is not onboarded yet. “status” shows who is there.`;
  },
  async inbox({ who, rest }) {
    if (rest) return null;
    const [pending, mode] = await Promise.all([listWaiting(who), consentFor(who.accountId, 'teams')]);
    if (pending.length === 0) return 'Nothing waits for you.';
    const lines = pending
      .slice(0, SHOWN)
      .map(
        (question) =>
          `• ${question.agentName}: ${shorten(viewQuestion(question, mode).prompt, 300)} ${linkToReview(question.id)}`,
      );
    return [
      `${pending.length} waiting. Answer on the card in its conversation, in the Inbox tab, or in Arc.`,
      ...lines,
    ].join('\n');
  },
  status: async ({ who, rest }) => (rest ? null : describeAccount(who)),
  async hire({ who, rest }) {
    if (!rest) return describeCatalogue();
    const wanted = agentCalled(rest);
    return wanted ? hireHere(who, wanted) : null;
  },
};

/**
 * Answers a message that is a command of the app.
 * @returns whether it was one; a stranger's never is, and is answered as any of their messages
 */
export async function answerCommand(source: Source, words: string): Promise<boolean> {
  const { installation, activity, place } = source;
  const [word = '', ...rest] = words.split(/\s+/);
  const run = ownEntry(WORDS, word.toLowerCase());
  const reference = run && (await isOn(installation)) ? await source.reference() : null;
  if (!run || !reference) return false;
  const identity = await identifyTeamsUser(installation, reference, activity.from.id).catch((error: unknown) => {
    // Stored as any other words, nothing is lost: whose they are is asked again when their turn comes.
    if (!(error instanceof TeamsRefusal)) throw error;
    logger.warn({ err: error, reference: activity.id }, 'Teams did not say who spoke');
    return null;
  });
  if (!identity?.who) return false;
  const { who } = identity;
  const text = await run({ who, rest: rest.join(' '), source }).catch((error: unknown) => wordsFor(error, activity.id));
  if (text === null) return false;
  // Said by its key, so that a command that comes twice is answered once.
  const conversation = await openConversation(installation.row.accountId, addressOf(place));
  await say(conversation, { key: `command:${activity.id}`, messageType: 'system', kind: 'text', text });
  return true;
}

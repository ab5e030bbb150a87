import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { logger } from '../../../../models/logger.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { say } from '../../../engine/delivery/say.ts';
import { CHANNEL_COMMANDS } from '../../../engine/turns/channelCommands.ts';
import type { SaidCommand } from '../../../engine/turns/command.ts';
import { identifyTeamsUser } from '../identity/people.ts';
import { isOn } from '../install/installations.ts';
import { addressOf } from '../platform/address.ts';
import { refusalOf } from '../platform/refusal.ts';
import { describeError } from './cardActions.ts';
import type { Source } from './source.ts';

/**
 * Answers a message whose whole first word is a command of the app.
 * @returns whether it was one; a stranger's message never is, and is handled like any other
 */
export async function answerCommand(source: Source, words: string): Promise<boolean> {
  const { installation, activity, place } = source;
  const [word = '', ...rest] = words.split(/\s+/);
  const run = ownEntry(CHANNEL_COMMANDS, word.toLowerCase());
  const reference = run && (await isOn(installation)) ? await source.reference() : null;
  if (!run || !reference) return false;
  const identity = await identifyTeamsUser(installation, reference, activity.from.id).catch((error: unknown) => {
    // The message is then stored as a turn, and the sender identified when the turn is processed.
    if (!refusalOf(error)) throw error;
    logger.warn({ err: error, reference: activity.id }, 'Teams did not say who wrote');
    return null;
  });
  if (!identity?.who) return false;
  const said: SaidCommand = {
    who: identity.who,
    address: addressOf(place),
    rest: rest.join(' '),
    write: (command) => `“${command}”`,
    answerAt: 'Answer on the card in its conversation, in the Inbox tab, or in Arc.',
  };
  const { text, isMeant } = await run(said).catch((error: unknown) => ({
    text: describeError(error, activity.id),
    isMeant: true,
  }));
  // "agent …" may also start an ordinary sentence.
  if (!isMeant) return false;
  // The key makes a repeated command be answered once.
  const conversation = await openConversation(installation.row.accountId, addressOf(place));
  await say(conversation, { key: `command:${activity.id}`, messageType: 'system', kind: 'text', text });
  return true;
}

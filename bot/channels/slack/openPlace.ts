import { logger } from '../../../models/logger.ts';
import { isDirect, type SlackPlace } from './address.ts';
import { escapeWithin } from './cards/text.ts';
import { refusalOf } from './client.ts';
import { clientOf, type SlackInstallation } from './installations.ts';

/** Slack's error codes for a channel where the app may not post. */
const NO_ACCESS = new Set(['channel_not_found', 'is_archived', 'not_in_channel', 'restricted_action']);
const MAX_QUOTE_LENGTH = 1000;

type AskedQuestion = {
  user: string;
  channel: string;
  /** The thread that the question belongs to; null where it starts one. */
  thread: string | null;
  /** The question's text, as people read it. */
  words: string;
};

/**
 * Posts who asked what by a command or shortcut, because Slack shows those to nobody and the answer needs a thread.
 * Where the app may not post, the question continues in the person's direct messages.
 * @returns where the answer goes, and whether that is another place than the one where it was asked
 */
export async function openPlace(
  installation: SlackInstallation,
  { user, channel, thread, words }: AskedQuestion,
): Promise<{ place: SlackPlace; elsewhere: boolean }> {
  const { key } = installation.row;
  const client = clientOf(installation);
  const quote = escapeWithin(words, MAX_QUOTE_LENGTH);
  try {
    const text = isDirect(channel) ? `You asked: ${quote}` : `<@${user}> asked: ${quote}`;
    const { ts } = await client.chat.postMessage({ channel, text, ...(thread ? { thread_ts: thread } : {}) });
    return { place: { key, channel, thread: thread ?? ts ?? null }, elsewhere: false };
  } catch (error) {
    if (!NO_ACCESS.has(refusalOf(error) ?? '')) {
      // The question is answered even without the post; the outbox delivers the answer.
      logger.warn({ err: error, channel }, 'could not show who asked');
      return { place: { key, channel, thread }, elsewhere: false };
    }
    const text = `You asked: ${quote}\nI’m not a member of that channel, so I’ll answer here. To add me, type \`/invite @Arc\` there.`;
    const direct = await client.chat.postMessage({ channel: user, text });
    return { place: { key, channel: direct.channel ?? user, thread: direct.ts ?? null }, elsewhere: true };
  }
}

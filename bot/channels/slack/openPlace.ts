import { logger } from '../../../models/logger.ts';
import { isDirect, type SlackPlace } from './address.ts';
import { escapeWithin } from './cards/text.ts';
import { refusalOf } from './client.ts';
import { clientOf, type SlackInstallation } from './installations.ts';

/** Slack's refusals that say that the app may not write there. */
const NOT_THERE = new Set(['channel_not_found', 'is_archived', 'not_in_channel', 'restricted_action']);
const QUOTED = 1000;

export type Asked = {
  user: string;
  channel: string;
  /** The thread where it belongs already; null where the question begins one. */
  thread: string | null;
  /** What was asked, as people read it. */
  words: string;
};

/**
 * Says in the place who asked what by a command or shortcut, which Slack shows to nobody, so that the answer has a
 * thread to stand in. Where the app may not write there, it goes on in the person's direct messages.
 * @returns where the answer goes, and whether that is elsewhere
 */
export async function openPlace(
  installation: SlackInstallation,
  { user, channel, thread, words }: Asked,
): Promise<{ place: SlackPlace; elsewhere: boolean }> {
  const { key } = installation.row;
  const client = clientOf(installation);
  const quote = escapeWithin(words, QUOTED);
  try {
    const said = isDirect(channel) ? `You asked: ${quote}` : `<@${user}> asked: ${quote}`;
    const { ts } = await client.chat.postMessage({ channel, text: said, ...(thread ? { thread_ts: thread } : {}) });
    return { place: { key, channel, thread: thread ?? ts ?? null }, elsewhere: false };
  } catch (error) {
    if (!NOT_THERE.has(refusalOf(error) ?? '')) {
      // Said or not, the question stands: the answer finds its way by the outbox.
      logger.warn({ err: error, channel }, 'what was asked could not be shown');
      return { place: { key, channel, thread }, elsewhere: false };
    }
    const text = `You asked: ${quote}\nI am not a member there, so I answer here. To have me there, type \`/invite @Arc\` in it.`;
    const direct = await client.chat.postMessage({ channel: user, text });
    return { place: { key, channel: direct.channel ?? user, thread: direct.ts ?? null }, elsewhere: true };
  }
}

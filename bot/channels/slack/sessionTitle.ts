import { logger } from '../../../models/logger.ts';
import { shorten } from '../../engine/delivery/splitText.ts';
import { isDirect, type SlackPlace } from './address.ts';
import { clientOf, type SlackInstallation } from './installations.ts';

/** Slack takes 200 characters; a list of threads shows far fewer. */
const MAX_TITLE_LENGTH = 80;

/**
 * Names a thread of the agent view after the message that began it. Never throws: an older workspace may not support
 * it, which is harmless.
 */
export async function nameSession(installation: SlackInstallation, place: SlackPlace, words: string): Promise<void> {
  const { channel, thread } = place;
  const title = shorten(words.replaceAll(/\s+/g, ' ').trim(), MAX_TITLE_LENGTH);
  if (!thread || !title || !isDirect(channel)) return;
  await clientOf(installation)
    .agents.sessions.rename({ channel_id: channel, thread_ts: thread, title })
    .catch((error: unknown) => logger.debug({ err: error }, 'could not name a thread'));
}

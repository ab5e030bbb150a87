import type { ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { placeOf } from './address.ts';
import { clientOf, installationOf } from './installations.ts';
import { makeLastWord } from './lastWord.ts';

type Status = 'processing' | 'suspended' | 'active';

const lastWord = makeLastWord();

/**
 * Shows in Slack what the agent's session does, one call at a time: the last word counts. Never throws: an older
 * workspace may not know it, which changes nothing.
 */
export async function showSessionStatus(conversation: ConversationRow, status: Status): Promise<void> {
  const { channel, thread } = placeOf(conversation.address);
  if (!thread) return;
  await lastWord(String(conversation._id), async () => {
    const client = clientOf(await installationOf(conversation));
    await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
  }).catch((error: unknown) => logger.debug({ err: error }, 'session status'));
}

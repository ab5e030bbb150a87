import type { ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { placeOf } from './address.ts';
import { makeCoalescer } from './coalesce.ts';
import { clientOf, installationOf } from './installations.ts';

type Status = 'processing' | 'suspended' | 'active';

const coalesce = makeCoalescer();

/**
 * Shows the status of the agent's session in Slack, one call at a time; the latest status wins. Never throws: an older
 * workspace may not support it, which is harmless.
 */
export async function showSessionStatus(conversation: ConversationRow, status: Status): Promise<void> {
  const { channel, thread } = placeOf(conversation.address);
  if (!thread) return;
  await coalesce(String(conversation._id), async () => {
    const client = clientOf(await installationOf(conversation));
    await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
  }).catch((error: unknown) => logger.debug({ err: error }, 'could not show a session status'));
}

import type { ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { placeOf } from './address.ts';
import { clientOf, installationOf } from './installations.ts';

type Status = 'processing' | 'suspended' | 'active';

/** What each session is to show next, where a call for it is on its way: the last word counts. */
const wanted = new Map<string, Status | null>();

/**
 * Shows in Slack what the agent's session does, one call at a time, so that a slow one never overtakes a later one.
 * Never throws: an older workspace may not know it, which changes nothing.
 */
export async function showSessionStatus(conversation: ConversationRow, status: Status): Promise<void> {
  const { channel, thread } = placeOf(conversation.address);
  if (!thread) return;
  const key = String(conversation._id);
  const working = wanted.has(key);
  wanted.set(key, status);
  if (working) return;
  for (let next: Status | null | undefined = status; next; next = wanted.get(key)) {
    wanted.set(key, null);
    // One that is refused keeps the next from nothing.
    await setStatus(conversation, { channel, thread, status: next }).catch((error: unknown) =>
      logger.debug({ err: error }, 'session status'),
    );
  }
  wanted.delete(key);
}

async function setStatus(
  conversation: ConversationRow,
  { channel, thread, status }: { channel: string; thread: string; status: Status },
): Promise<void> {
  const client = clientOf(await installationOf(conversation));
  await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
}

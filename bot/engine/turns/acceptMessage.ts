import { randomUUID } from 'node:crypto';
import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { requireThread } from '../conversations/threads.ts';
import { acceptTurn } from './acceptTurn.ts';

/**
 * Accepts a member's message in arc-chat, by call or by socket: stored, then acknowledged.
 * @param given `clientId`, the idempotency key from the page; `conversation`, the one that the page shows: the open one
 * if none is given
 * @returns the message's id
 * @throws AppError not_found for a conversation of somebody else, or one that was deleted
 */
export const acceptMessage = (who: Who, text: string, given: Given = {}): Promise<string> => hear(who, text, given);

/**
 * Accepts a task for one agent in arc-chat. That agent gets it, whatever the text, and becomes the conversation's
 * current agent.
 * @returns the message's id
 */
export const acceptAgentTask = (who: Who, { _id }: Pick<UserAgentRow, '_id'>, text: string): Promise<string> =>
  hear(who, text, { taskFor: _id });

type Given = { clientId?: string | undefined; conversation?: string | undefined };

async function hear(
  who: Who,
  text: string,
  { clientId, taskFor, conversation: id }: Given & { taskFor?: number },
): Promise<string> {
  const conversation = await requireThread(who, id);
  const { turn } = await acceptTurn(
    conversation,
    {
      channel: OWN_CHANNEL,
      address: conversation.address,
      speaker: { userId: who.userId, platformId: null, name: who.name },
      text,
      manner: 'said',
      files: [],
      eventId: `${who.accountId}:${who.userId}:${clientId ?? randomUUID()}`,
    },
    { clientId: clientId ?? null, taskFor: taskFor ?? null },
  );
  return String(turn._id);
}

import { randomUUID } from 'node:crypto';
import type { Who } from '../../../models/policies/who.ts';
import { arcAddress, openConversation } from '../conversations/conversations.ts';
import { acceptTurn } from './acceptTurn.ts';

/**
 * What a signed-in member says in arc-chat, by call or by socket: stored, then acknowledged.
 * @param clientId made by the page; the same again is the same message
 * @returns the message's id
 */
export async function hearMember(who: Who, text: string, clientId?: string): Promise<string> {
  const conversation = await openConversation(who.accountId, arcAddress(who.userId));
  const { turn } = await acceptTurn(
    conversation,
    {
      channel: 'arc',
      address: conversation.address,
      speaker: { userId: who.userId, platformId: null, name: who.name },
      text,
      manner: 'said',
      files: [],
      eventId: `${who.accountId}:${who.userId}:${clientId ?? randomUUID()}`,
    },
    clientId ?? null,
  );
  return String(turn._id);
}

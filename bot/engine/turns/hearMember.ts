import { randomUUID } from 'node:crypto';
import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import { Conversation } from '../../../models/conversation.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { arcAddress, openConversation, sharing } from '../conversations/conversations.ts';
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
      channel: OWN_CHANNEL,
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

/** A task for one agent, given in arc-chat: from then on that agent is the one spoken to. @returns the message's id */
export async function hearTask(who: Who, { _id }: Pick<UserAgentRow, '_id'>, text: string): Promise<string> {
  const conversation = await openConversation(who.accountId, arcAddress(who.userId));
  await Conversation.updateMany({ _id: { $in: sharing(conversation) } }, { $set: { userAgentId: _id } });
  return hearMember(who, text);
}

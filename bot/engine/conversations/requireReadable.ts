import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireSpokenIn } from './requireSpokenIn.ts';
import { openChat, requireThread } from './threads.ts';

/**
 * A conversation that a member may read: one of their own arc-chat, or one of another channel in which they have
 * written; without an id the one that is open in their arc-chat.
 * @throws AppError not_found
 */
export async function requireReadable(who: Who, id?: string): Promise<ConversationRow> {
  if (id === undefined) return openChat(who);
  const { accountId } = who;
  const own = await Conversation.exists({ _id: id, accountId, 'address.channel': OWN_CHANNEL });
  return own ? requireThread(who, id) : requireSpokenIn(who, id);
}

import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Turn } from '../../../models/turn.ts';

/**
 * A conversation of a channel in which the member has written. Others, e.g. a private channel or somebody else's chat,
 * are not theirs to read.
 * @throws AppError not_found
 */
export async function requireSpokenIn({ accountId, userId }: Who, conversationId: string): Promise<ConversationRow> {
  const conversation = await Conversation.findOne({
    _id: conversationId,
    accountId,
  }).lean();
  if (!conversation) throw new AppError('not_found');
  const { channel } = conversation.address;
  const identities = await ChannelIdentity.find(
    { accountId, channel, userId, stranger: false },
    { platformId: 1 },
  ).lean();
  const platformIds = identities.map(({ platformId }) => platformId);
  const spoke =
    platformIds.length > 0 &&
    (await Turn.exists({ accountId, conversationId: conversation._id, 'speaker.platformId': { $in: platformIds } }));
  if (!spoke) throw new AppError('not_found');
  return conversation;
}

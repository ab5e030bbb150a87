import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { REMOTE_CHANNELS } from '../../../models/contracts/channels.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Member } from '../../../models/member.ts';
import { Turn } from '../../../models/turn.ts';
import { User } from '../../../models/user.ts';
import { channelNamed } from '../delivery/channel.ts';
import { unfit } from '../questions/kinds/kind.ts';

/** How many of a member's latest messages are searched for a one-to-one chat. */
const MAX_TURNS = 100;

/**
 * The one-to-one chat on another company's channel in which a member spoke to the app last; null where there is none.
 * @throws AppError bad_request where no member of the account has the e-mail
 */
export async function chatOf(accountId: number, email: string): Promise<ConversationRow | null> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }, { _id: 1 }).lean();
  if (!user || !(await Member.exists({ accountId, userId: user._id })))
    throw unfit('to', 'No member of the company has this e-mail.');
  const identities = await ChannelIdentity.find({ accountId, userId: user._id, stranger: false }).lean();
  const platformId = { $in: identities.map((one) => one.platformId) };
  const turns = await Turn.find(
    { accountId, channel: { $in: [...REMOTE_CHANNELS] }, 'speaker.platformId': platformId },
    { conversationId: 1 },
  )
    .sort({ _id: -1 })
    .limit(MAX_TURNS)
    .lean();
  for (const id of new Set(turns.map(({ conversationId }) => String(conversationId)))) {
    const spokenIn = await Conversation.findOne({ _id: id, accountId }).lean();
    if (!spokenIn || !(await isOneToOne(spokenIn))) continue;
    // In a thread of the chat it would be overlooked.
    return spokenIn.placeId ? Conversation.findOne({ _id: spokenIn.placeId, accountId }).lean() : spokenIn;
  }
  return null;
}

const isOneToOne = async (conversation: ConversationRow): Promise<boolean> =>
  conversation.direct === true ||
  ((await channelNamed(conversation.address.channel)?.isOneToOne?.(conversation)) ?? false);

import { Types } from 'mongoose';
import type { Feedback } from '../../../models/contracts/chat.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { requireThread } from './threads.ts';

/**
 * Keeps what a person thinks of an agent's answer in their own arc-chat; null takes it back.
 * @returns the message
 * @throws AppError not_found for a message that is not an agent's, or not in the person's arc-chat
 */
export async function giveFeedback(who: Who, messageId: string, given: Feedback | null): Promise<MessageRow> {
  const { accountId } = who;
  const _id = new Types.ObjectId(messageId);
  const message = await Message.findOne({ _id, accountId, messageType: 'assistant' }, { conversationId: 1 }).lean();
  if (!message) throw new AppError('not_found');
  await requireThread(who, String(message.conversationId));
  return keepFeedback(accountId, _id, given);
}

/**
 * Keeps what a person thinks of an agent's answer in a conversation of another channel. The caller has checked that the
 * person may speak there.
 * @throws AppError not_found for a message that is not an agent's, or not in that conversation
 */
export async function giveFeedbackIn(
  accountId: number,
  { channel, conversation }: Pick<Address, 'channel' | 'conversation'>,
  messageId: string,
  given: Feedback,
): Promise<void> {
  if (!Types.ObjectId.isValid(messageId)) throw new AppError('not_found');
  const _id = new Types.ObjectId(messageId);
  const message = await Message.findOne({ _id, accountId, messageType: 'assistant' }, { conversationId: 1 }).lean();
  const at = { 'address.channel': channel, 'address.conversation': conversation };
  if (!message || !(await Conversation.exists({ _id: message.conversationId, accountId, ...at })))
    throw new AppError('not_found');
  await keepFeedback(accountId, _id, given);
}

async function keepFeedback(accountId: number, _id: Types.ObjectId, given: Feedback | null): Promise<MessageRow> {
  const feedback = given && { ...given, at: new Date() };
  const changed = await changing(accountId, ['chat'], () =>
    Message.findOneAndUpdate({ _id, accountId }, { $set: { feedback } }, { returnDocument: 'after' }).lean(),
  );
  if (!changed) throw new AppError('not_found');
  return changed;
}

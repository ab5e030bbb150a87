import { Types } from 'mongoose';
import type { MessageRow } from '../../models/message.ts';
import { nextNumber } from './who.ts';

/** A message of an agent, as a channel receives it for delivery. */
export const makeMessage = (accountId: number, change: Partial<MessageRow> = {}): MessageRow => ({
  _id: new Types.ObjectId(),
  accountId,
  conversationId: new Types.ObjectId(),
  key: String(nextNumber()),
  messageType: 'assistant',
  kind: 'text',
  text: 'Hello.',
  agentId: 'clinical_safety',
  agentName: 'Clara',
  attachments: [],
  card: null,
  clientId: null,
  derived: null,
  createdAt: new Date(),
  ...change,
});

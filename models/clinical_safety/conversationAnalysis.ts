import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** The analysis that a conversation works on: the one that was last made or opened in it. */
type ConversationAnalysisRow = {
  _id: Types.ObjectId;
  accountId: number;
  conversationId: Types.ObjectId;
  analysisId: number;
};

export const ConversationAnalysis = entity<ConversationAnalysisRow>({
  name: 'ConversationAnalysis',
  collection: 'conversationAnalyses',
  scope: 'customer',
  fields: { conversationId: 'ObjectId', analysisId: Number },
  indexes: [[{ accountId: 1, conversationId: 1 }, { unique: true }]],
});

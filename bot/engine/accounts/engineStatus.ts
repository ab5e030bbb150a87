import { Conversation } from '../../../models/conversation.ts';
import { Member } from '../../../models/member.ts';
import { Turn } from '../../../models/turn.ts';
import { configuredModel } from '../llm/model.ts';

const ACTIVE_DAYS = 30;

/** Usage of an account's agents in the last 30 days, and the model that words their answers. */
export async function readEngineStatus(accountId: number, model = configuredModel()) {
  const since = new Date(Date.now() - ACTIVE_DAYS * 86_400_000);
  const [totalInteractions, recent, totalUsers, conversations] = await Promise.all([
    Turn.countDocuments({ accountId }),
    Turn.find({ accountId, createdAt: { $gte: since } }, { speaker: 1, conversationId: 1 })
      .limit(10_000)
      .lean(),
    Member.countDocuments({ accountId }),
    Conversation.countDocuments({ accountId }),
  ]);
  return {
    success: true,
    openaiConfigured: model !== null,
    model: model?.name ?? 'built-in engine',
    activeUsers: new Set(recent.map(({ speaker }) => speaker.userId)).size,
    totalInteractions,
    totalUsers,
    activeConversations: Math.min(
      conversations,
      new Set(recent.map(({ conversationId }) => String(conversationId))).size,
    ),
    error: null,
  };
}

import { Types } from 'mongoose';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { ChannelName } from '../../../models/contracts/channels.ts';
import type { ChatMessage, chatHistory, RunProgress } from '../../../models/contracts/chat.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { StoredFile } from '../../../models/file.ts';
import { Message } from '../../../models/message.ts';
import { Run } from '../../../models/run.ts';
import { readReadyFiles } from '../agents/registry.ts';
import { viewMessage } from '../delivery/say.ts';
import { viewProgress } from '../workflows/progress.ts';
import { showsProgress, workflowNamed } from '../workflows/workflow.ts';
import { readSpokenTo } from './chooseAgent.ts';

type History = {
  messages: ChatMessage[];
  count: number;
  hasMore: boolean;
  working: RunProgress[];
  /** Names of the files that new work would use, by kind. */
  ready: Record<string, string | null>;
  /** What those of them were read from that Arc read from a connected tool, by kind. */
  sources: AnswerOf<typeof chatHistory>['sources'];
  /** The agent for messages that name nobody. */
  spokenTo: AgentId | null;
  /** Id of the conversation. */
  conversation: string;
  channel: ChannelName;
};

/** The newest messages of a conversation, its runs in progress, and the files that new work would use. */
export async function readHistory(
  conversation: ConversationRow,
  page: { limit: number; before?: string | undefined },
): Promise<History> {
  const { accountId, _id: conversationId } = conversation;
  const older = page.before ? { _id: { $lt: new Types.ObjectId(page.before) } } : {};
  const ready = await readReadyFiles(conversation);
  const [rows, runs, files, spokenTo] = await Promise.all([
    Message.find({ accountId, conversationId, ...older })
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean(),
    Run.find({ accountId, conversationId, status: { $in: ['ready', 'waiting'] } })
      .limit(20)
      .lean(),
    StoredFile.find(
      { _id: { $in: Object.values(ready).filter((id) => id !== null) } },
      { originalName: 1, source: 1 },
    ).lean(),
    readSpokenTo(conversation),
  ]);
  const messages = rows.slice(0, page.limit).map(viewMessage);
  const fileOf = (id: Types.ObjectId | null) => files.find((file) => String(file._id) === String(id));
  return {
    messages,
    count: messages.length,
    hasMore: rows.length > page.limit,
    working: runs.filter((run) => showsProgress(workflowNamed(run.workflow))).map((run) => viewProgress(run)),
    ready: Object.fromEntries(Object.entries(ready).map(([kind, id]) => [kind, fileOf(id)?.originalName ?? null])),
    sources: Object.fromEntries(
      Object.entries(ready).flatMap(([kind, id]) => {
        const source = fileOf(id)?.source;
        return source ? [[kind, { ...source, syncedAt: source.syncedAt.toISOString() }]] : [];
      }),
    ),
    spokenTo: spokenTo && (findAgent(spokenTo.agentId)?.id ?? null),
    conversation: String(conversationId),
    channel: conversation.address.channel,
  };
}

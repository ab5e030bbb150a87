import type { Router } from 'express';
import { registeredAgent } from '../../bot/engine/agents/registry.ts';
import { giveFeedback } from '../../bot/engine/conversations/giveFeedback.ts';
import { requireReadable } from '../../bot/engine/conversations/requireReadable.ts';
import { requireThread } from '../../bot/engine/conversations/threads.ts';
import { viewMessage } from '../../bot/engine/delivery/say.ts';
import { acceptFile } from '../../bot/engine/turns/acceptFile.ts';
import { acceptMessage } from '../../bot/engine/turns/acceptMessage.ts';
import { readHistory } from '../../bot/engine/turns/readHistory.ts';
import { cancelRun } from '../../bot/engine/workflows/cancelRun.ts';
import { askAgain } from '../../models/contracts/askedQuery.ts';
import * as contract from '../../models/contracts/chat.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { threadId } from '../../models/contracts/threads.ts';
import { bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';
import { takeUpload, uploadedFile } from '../middleware/upload.ts';
import { presentParseResult } from '../present/parseResult.ts';

/** arc-chat over HTTP; the socket offers the same. */
export function chatRoutes(router: Router): void {
  bind(
    router,
    contract.chatHistory,
    async ({ who, query }) => readHistory(await requireReadable(who, query.conversation), query),
    { topics: ['chat', 'workspaces', 'agents'] },
  );

  bind(router, contract.sendChat, async ({ who, body }) => {
    await requireChat(who);
    return { success: true as const, messageId: await acceptMessage(who, body.message, body) };
  });

  bind(router, askAgain, async ({ who, body: { agentId, query, of } }) => {
    await requireChat(who);
    const answered = await registeredAgent(agentId).askAgain?.(who.accountId, query, of);
    if (!answered) throw new AppError('not_found');
    return answered;
  });

  bind(
    router,
    contract.uploadFile,
    async ({ who, request }) => {
      await requireChat(who);
      const conversation = await requireThread(who, uploadedTo(request.body));
      const taken = await acceptFile(conversation, uploadedFile(request.file));
      return { success: true as const, parseResult: presentParseResult(taken), fileId: String(taken.file._id) };
    },
    { before: takeUpload },
  );

  bind(router, contract.addSample, async ({ who, body }) => {
    await requireChat(who);
    await acceptMessage(who, 'Try it with a sample', body);
    return { success: true as const };
  });

  bind(router, contract.giveFeedback, async ({ who, params, body }) =>
    viewMessage(await giveFeedback(who, params.messageId, body.feedback)),
  );

  bind(router, contract.cancelRun, async ({ who, params }) => {
    await cancelRun(who, params.runId);
    return { success: true as const };
  });
}

/** The conversation that a form with a file names; undefined where it names none. @throws AppError bad_request */
function uploadedTo(form: unknown): string | undefined {
  const { conversation } = (form ?? {}) as { conversation?: unknown };
  if (conversation === undefined) return undefined;
  const id = threadId.safeParse(conversation);
  if (!id.success) throw new AppError('bad_request');
  return id.data;
}

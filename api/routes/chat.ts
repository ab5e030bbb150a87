import type { Router } from 'express';
import { arcAddress, openConversation } from '../../bot/engine/conversations/conversations.ts';
import { requireSpokenIn } from '../../bot/engine/conversations/requireSpokenIn.ts';
import { acceptFile } from '../../bot/engine/turns/acceptFile.ts';
import { acceptMessage } from '../../bot/engine/turns/acceptMessage.ts';
import { readHistory } from '../../bot/engine/turns/readHistory.ts';
import { cancelRun } from '../../bot/engine/workflows/cancelRun.ts';
import * as contract from '../../models/contracts/chat.ts';
import { bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';
import { takeUpload, uploadedFile } from '../middleware/upload.ts';
import { presentParseResult } from '../present/parseResult.ts';

/** arc-chat over HTTP; the socket offers the same. */
export function chatRoutes(router: Router): void {
  bind(
    router,
    contract.chatHistory,
    async ({ who, query }) => {
      const conversation = query.conversation
        ? await requireSpokenIn(who, query.conversation)
        : await openConversation(who.accountId, arcAddress(who.userId));
      return readHistory(conversation, query);
    },
    { topics: ['chat', 'workspaces', 'agents'] },
  );

  bind(router, contract.sendChat, async ({ who, body }) => {
    await requireChat(who);
    return { success: true as const, messageId: await acceptMessage(who, body.message, body.clientId) };
  });

  bind(
    router,
    contract.uploadFile,
    async ({ who, request }) => {
      await requireChat(who);
      const conversation = await openConversation(who.accountId, arcAddress(who.userId));
      const taken = await acceptFile(conversation, uploadedFile(request.file));
      return { success: true as const, parseResult: presentParseResult(taken), fileId: String(taken.file._id) };
    },
    { before: takeUpload },
  );

  bind(router, contract.addSample, async ({ who }) => {
    await requireChat(who);
    await acceptMessage(who, 'Try it with a sample');
    return { success: true as const };
  });

  bind(router, contract.cancelRun, async ({ who, params }) => {
    await cancelRun(who, params.runId);
    return { success: true as const };
  });
}

import type { Router } from 'express';
import {
  deleteThread,
  listThreads,
  openThread,
  renameThread,
  requireThread,
  startThread,
  viewThread,
} from '../../bot/engine/conversations/threads.ts';
import { speakTo } from '../../bot/engine/turns/chooseAgent.ts';
import * as contract from '../../models/contracts/threads.ts';
import { bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';

/** The conversations of arc-chat. */
export function threadRoutes(router: Router): void {
  bind(router, contract.listThreads, async ({ who, query }) => ({ threads: await listThreads(who, query.search) }), {
    topics: ['chat', 'workspaces'],
  });
  bind(router, contract.startThread, async ({ who }) => {
    await requireChat(who);
    return startThread(who);
  });
  bind(router, contract.openThread, ({ who, params }) => openThread(who, params.id));
  bind(router, contract.changeThread, async ({ who, params, body }) => {
    if (body.title !== undefined) await renameThread(who, params.id, body.title);
    if (body.spokenTo !== undefined) await speakTo(await requireThread(who, params.id), body.spokenTo);
    return viewThread(who, await requireThread(who, params.id));
  });
  bind(router, contract.deleteThread, async ({ who, params }) => {
    await deleteThread(who, params.id);
    return { success: true as const };
  });
}

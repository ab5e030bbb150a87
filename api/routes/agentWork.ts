import type { Router } from 'express';
import { refusalInPreparation } from '../../bot/engine/agents/inPreparation.ts';
import { readPreview } from '../../bot/engine/files/projects.ts';
import { acceptAgentTask } from '../../bot/engine/turns/acceptMessage.ts';
import { requireAgent } from '../../bot/engine/turns/startWork.ts';
import * as contract from '../../models/contracts/agentWork.ts';
import { findAgent, isWorking, WORKING_AGENTS } from '../../models/contracts/catalogue.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';

/** The agents that work in this version. */
const AT_WORK = `At work today: ${WORKING_AGENTS.map(({ displayName, role }) => `${displayName}, ${role}`).join('; ')}; ask in the chat.`;

/** Isolates an agent's page: no access to our storage or cookies, no network, no new windows, framed by our pages only. */
const PREVIEW_POLICY = [
  'sandbox allow-scripts allow-forms allow-modals',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Tasks for agents, and previews of their projects. */
export function agentWorkRoutes(router: Router): void {
  bind(router, contract.createTask, async ({ who, params, body }) => {
    const agent = await requireAgent(who, params.userAgentId);
    if (!isWorking(agent.agentId)) {
      throw refusalInPreparation(`The work of the agent “${findAgent(agent.agentId)?.role ?? agent.agentId}”`, AT_WORK);
    }
    await requireChat(who);
    return { success: true as const, messageId: await acceptAgentTask(who, agent, body.prompt) };
  });

  bind(router, contract.previewProject, async ({ who, params, response }) => {
    const page = await readPreview(who.accountId, params.projectId);
    if (!page) throw new AppError('not_found');
    response.type('html').set({
      'Content-Security-Policy': PREVIEW_POLICY,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'SAMEORIGIN',
    });
    response.end(page);
    return ANSWERED;
  });
}

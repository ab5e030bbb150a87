import type { Router } from 'express';
import { continueTask } from '../../bot/engine/agents/continueTask.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../bot/engine/agents/requireAgentOf.ts';
import { readPreview, readProjects } from '../../bot/engine/files/projects.ts';
import { acceptAgentTask } from '../../bot/engine/turns/acceptMessage.ts';
import { requireAgent } from '../../bot/engine/turns/startWork.ts';
import * as contract from '../../models/contracts/agentWork.ts';
import { findAgent, isWorking, WORKING_AGENTS } from '../../models/contracts/catalogue.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';
import { presentProject } from '../present/project.ts';

/** What a person can do until the work is available. */
const BY_HAND = 'Until then, work on it by hand, and keep your documents in the sandbox workspace.';
/** The agents that work in this version. */
const AT_WORK = `At work today: ${WORKING_AGENTS.map(({ displayName, role }) => `${displayName}, ${role}`).join('; ')}; ask in the chat.`;

/** Calls whose work is in preparation: they do nothing and cost nothing. */
const IN_PREPARATION: [call: Endpoint, what: string][] = [[contract.startTask, 'The developer’s workflow']];

/** Isolates an agent's page: no access to our storage or cookies, no network, framed by our own pages only. */
const PREVIEW_POLICY = [
  'sandbox allow-scripts allow-forms allow-popups allow-modals',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** The refusal of work that is in preparation. */
const inPreparation = (what: string, instead = BY_HAND) => new AppError('in_preparation', { what, instead });

/** Tasks and projects of agents. */
export function agentWorkRoutes(router: Router): void {
  for (const [call, what] of IN_PREPARATION) {
    bind(router, call, () => {
      throw inPreparation(what);
    });
  }

  bind(router, contract.createTask, async ({ who, params, body }) => {
    const agent = await requireAgent(who, params.userAgentId);
    if (!isWorking(agent.agentId)) {
      throw inPreparation(`The work of the agent “${findAgent(agent.agentId)?.role ?? agent.agentId}”`, AT_WORK);
    }
    await requireChat(who);
    return { success: true, messageId: await acceptAgentTask(who, agent, body.prompt) };
  });

  bind(router, contract.continueTask, ({ who, params, body }) =>
    continueTask(who, 'developer', params.interruptId, body),
  );

  bind(router, contract.processDocuments, async ({ who, params }) => {
    await requireReadyAgentOf(who, params.userAgentId, 'professionaliser');
    throw inPreparation('Bringing documents into one structure');
  });

  bind(router, contract.createProject, async ({ who, body }) => {
    await requireReadyAgentOf(who, body.userAgentId, 'developer');
    throw inPreparation('Creating projects');
  });

  for (const call of [contract.listReplitProjects, contract.listBoltProjects]) {
    bind(router, call, async ({ who, params }) => {
      await requireAgentOf(who, params.id, 'developer');
      return { projects: (await readProjects(who.accountId, params.id)).map(presentProject) };
    });
  }

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

import type { Router } from 'express';
import { readTimeZone } from '../../bot/engine/accounts/timeZone.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../bot/engine/agents/requireAgentOf.ts';
import { viewInterrupt } from '../../bot/engine/delivery/viewInterrupt.ts';
import { answerInterrupt } from '../../bot/engine/interrupts/answerInterrupt.ts';
import { hearMember } from '../../bot/engine/turns/hearMember.ts';
import { requireAgent } from '../../bot/engine/turns/startWork.ts';
import * as contract from '../../models/contracts/agentWork.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { AnswerBody, InterruptType } from '../../models/contracts/interrupts.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';

/** Calls whose work is not there yet, and what they say. They do nothing and cost nothing. */
const NOT_YET: [call: Endpoint, text: string][] = [
  [contract.generateDesign, 'Generating designs is not available in this version. Nothing was created.'],
  [contract.designLayout, 'Proposing layouts is not available in this version. Nothing was created.'],
  [contract.designComponents, 'Proposing components is not available in this version. Nothing was created.'],
  [contract.designDemo, 'The design workflow is not available in this version. Nothing was started.'],
  [
    contract.figmaExport,
    'Exporting to Figma is not available in this version: Figma’s interface can’t create files, and no file is chosen.',
  ],
  [contract.startTask, 'The developer’s workflow is not available in this version. Nothing was started.'],
];

/** What going on with an action answers, by the type of the question that waits. */
function answerOf(type: InterruptType, { action, text }: { action: string; text?: string | undefined }): AnswerBody {
  if (type === 'approval') return /^(approve|reject)$/.test(action) ? { approved: action === 'approve' } : {};
  // A review is decided row by row: no single action goes on with it.
  if (type === 'hazard_review') return {};
  if (type === 'decision') return { selectedOption: action };
  if (type === 'input') return { userInput: text ?? action };
  return { userResponse: { choice: action, ...(text ? { text } : {}) } };
}

/** Work of the other agents: their calls, checks and records; the work itself comes later. */
export function agentWorkRoutes(router: Router): void {
  for (const [call, text] of NOT_YET) {
    bind(router, call, () => {
      throw new AppError('not_available', { text });
    });
  }

  bind(router, contract.createTask, async ({ who, params, body }) => {
    const agent = await requireAgent(who, params.userAgentId);
    if (agent.agentId !== 'clinical_safety') {
      throw new AppError('not_available', {
        text: 'This agent’s own work is not available in this version. Nothing was started.',
      });
    }
    await requireChat(who);
    return { success: true, messageId: await hearMember(who, body.prompt) };
  });

  bind(router, contract.continueTask, async ({ who, params, body }) => {
    const asked = await Interrupt.findOne({ _id: params.interruptId, accountId: who.accountId }).lean();
    if (!asked) throw new AppError('not_found');
    await requireAgentOf(who, asked.userAgentId, 'developer');
    const row = await answerInterrupt(who, params.interruptId, answerOf(asked.interruptType, body), 'inbox');
    return viewInterrupt(row, who, await readTimeZone(who.accountId));
  });

  bind(router, contract.createFigma, async ({ who, params }) => {
    await requireReadyAgentOf(who, params.id, 'designer');
    throw new AppError('not_available', {
      text: 'Figma’s interface can’t create files, and no file is chosen. Nothing was created.',
    });
  });

  bind(router, contract.processDocuments, async ({ who, params }) => {
    await requireReadyAgentOf(who, params.userAgentId, 'professionaliser');
    throw new AppError('not_available', {
      text: 'Bringing documents into one structure is not available in this version. Nothing was changed.',
    });
  });

  bind(router, contract.createProject, async ({ who, body }) => {
    await requireReadyAgentOf(who, body.userAgentId, 'developer');
    throw new AppError('not_available', {
      text: 'Creating projects is not available in this version. Nothing was created.',
    });
  });

  for (const call of [contract.listReplitProjects, contract.listBoltProjects]) {
    bind(router, call, async ({ who, params }) => {
      await requireAgentOf(who, params.id, 'developer');
      return { projects: [] };
    });
  }

  bind(router, contract.previewProject, () => {
    throw new AppError('not_found');
  });

  bind(router, contract.designHealth, () => ({
    success: false,
    status: 'not available',
    error: 'The design service is not part of this version.',
  }));
}

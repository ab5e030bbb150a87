import type { Router } from 'express';
import { hireAgent, onboardAgent } from '../../bot/engine/accounts/hireAgent.ts';
import { readHiredAgents, requireHiredAgent } from '../../bot/engine/accounts/hiredAgents.ts';
import { letAgentGo } from '../../bot/engine/accounts/letAgentGo.ts';
import { actionsOf, setAsksBefore } from '../../bot/engine/agents/askBefore.ts';
import { readActivity } from '../../bot/engine/agents/readActivity.ts';
import { findWorkPages } from '../../bot/engine/agents/workPages.ts';
import { readWorkspaces } from '../../bot/engine/workflows/readWorkspaces.ts';
import * as contract from '../../models/contracts/userAgents.ts';
import type { Who } from '../../models/policies/who.ts';
import type { UserAgentRow } from '../../models/userAgent.ts';
import { bind } from '../middleware/bind.ts';
import { presentUserAgent } from '../present/userAgent.ts';
import { presentWorkspace } from '../present/workspace.ts';

const answer = async (who: Who, row: UserAgentRow) => presentUserAgent(row, await readActivity(who));

/** Hired agents and their work. */
export function userAgentRoutes(router: Router): void {
  bind(
    router,
    contract.listUserAgents,
    async ({ who }) => {
      const [rows, activity] = await Promise.all([readHiredAgents(who.accountId), readActivity(who)]);
      return rows.map((row) => presentUserAgent(row, activity));
    },
    { topics: ['agents', 'interrupts', 'workspaces', 'account'] },
  );

  bind(
    router,
    contract.getUserAgent,
    async ({ who, params }) => answer(who, await requireHiredAgent(who.accountId, params.id)),
    { topics: ['agents', 'interrupts', 'workspaces', 'account'] },
  );

  bind(router, contract.hireAgent, async ({ who, body }) => answer(who, await hireAgent(who, body.agentId)));

  bind(router, contract.onboardAgent, async ({ who, body }) =>
    answer(who, await onboardAgent(who, body.agentId, body.tools)),
  );

  bind(router, contract.letAgentGo, async ({ who, params }) => ({
    success: true as const,
    schedulesSwitchedOff: await letAgentGo(who, params.id),
  }));

  bind(
    router,
    contract.listAgentActions,
    async ({ who, params }) => ({ actions: await actionsOf(await requireHiredAgent(who.accountId, params.id)) }),
    { topics: ['agents', 'integrations'] },
  );

  bind(router, contract.changeAgentAction, async ({ who, params, body }) => ({
    actions: await setAsksBefore(who, params.id, params.name, body.asks),
  }));

  bind(
    router,
    contract.listWorkspaces,
    async ({ who, params }) => {
      const works = await readWorkspaces(who.accountId, params.agentId);
      const pages = await findWorkPages(who.accountId, works);
      return works.map((work) => presentWorkspace(work, pages));
    },
    { topics: ['workspaces', 'agents', 'analysis'] },
  );
}

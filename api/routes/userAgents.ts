import type { Router } from 'express';
import { hireAgent, onboardAgent } from '../../bot/engine/accounts/hireAgent.ts';
import { AppError } from '../../models/contracts/errors.ts';
import * as contract from '../../models/contracts/userAgents.ts';
import { UserAgent, type UserAgentRow } from '../../models/userAgent.ts';
import { Workspace } from '../../models/workspace.ts';
import { bind } from '../middleware/bind.ts';
import { presentUserAgents } from '../present/userAgent.ts';
import { presentWorkspace } from '../present/workspace.ts';

async function present(row: UserAgentRow | null) {
  if (!row) throw new AppError('not_found');
  const [view] = await presentUserAgents(row.accountId, [row]);
  if (!view) throw new AppError('not_found');
  return view;
}

/** Hired agents and their work. */
export function userAgentRoutes(router: Router): void {
  bind(
    router,
    contract.listUserAgents,
    async ({ who }) => {
      const rows = await UserAgent.find({ accountId: who.accountId }).sort({ hiredAt: 1 }).lean();
      return presentUserAgents(who.accountId, rows);
    },
    { topics: ['agents', 'interrupts', 'workspaces'] },
  );

  bind(
    router,
    contract.getUserAgent,
    async ({ who, params }) => present(await UserAgent.findOne({ _id: params.id, accountId: who.accountId }).lean()),
    { topics: ['agents', 'interrupts', 'workspaces'] },
  );

  bind(router, contract.hireAgent, async ({ who, body }) => present(await hireAgent(who, body.agentId)));

  bind(router, contract.onboardAgent, async ({ who, body }) =>
    present(await onboardAgent(who, body.agentId, body.tools)),
  );

  bind(
    router,
    contract.listWorkspaces,
    async ({ who, params }) => {
      const { accountId } = who;
      const { agentId } = params;
      const isHired = typeof agentId === 'number';
      if (isHired && !(await UserAgent.exists({ _id: agentId, accountId }))) throw new AppError('not_found');
      const which = isHired ? { userAgentId: agentId } : { agentId };
      const rows = await Workspace.find({ accountId, ...which })
        .sort({ createdAt: -1 })
        .limit(100)
        .lean();
      return rows.map(presentWorkspace);
    },
    { topics: ['workspaces', 'agents'] },
  );
}

import type { Activity } from '../../bot/engine/agents/readActivity.ts';
import { findAgent } from '../../models/contracts/catalogue.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import type { UserAgentRow } from '../../models/userAgent.ts';

/** A hired agent as pages get it, with its activity. */
export function presentUserAgent(row: UserAgentRow, { pending, own, working }: Activity): UserAgent {
  const agent = findAgent(row.agentId);
  return {
    id: row._id,
    agentId: row.agentId,
    userId: row.userId,
    displayName: agent?.displayName ?? row.agentId,
    role: agent?.role ?? '',
    status: row.status === 'onboarded' ? 'onboarded' : 'hired',
    tools: row.tools.map(({ id, enabled }) => ({ id, enabled })),
    hiredAt: row.hiredAt.toISOString(),
    onboardedAt: row.onboardedAt?.toISOString() ?? null,
    createdAt: row.hiredAt.toISOString(),
    pendingInterrupts: pending.get(row._id) ?? 0,
    waitingForYou: own.get(row._id) ?? 0,
    working: working.has(row._id),
  };
}

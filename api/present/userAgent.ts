import { findAgent } from '../../models/contracts/catalogue.ts';
import type { UserAgent as View } from '../../models/contracts/userAgents.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Run } from '../../models/run.ts';
import type { UserAgentRow } from '../../models/userAgent.ts';

/** Hired agents as pages see them, each with what it waits for and whether it works. */
export async function presentUserAgents(accountId: number, rows: readonly UserAgentRow[]): Promise<View[]> {
  const [pending, working] = await Promise.all([
    Interrupt.find({ accountId, status: 'pending' }, { userAgentId: 1 }).lean(),
    Run.find({ accountId, status: 'ready' }, { userAgentId: 1 }).lean(),
  ]);
  const busy = new Set(working.map(({ userAgentId }) => userAgentId));
  return rows.map((row) => ({
    id: row._id,
    agentId: row.agentId,
    userId: row.userId,
    displayName: findAgent(row.agentId)?.displayName ?? row.agentId,
    role: findAgent(row.agentId)?.role ?? '',
    status: row.status,
    tools: row.tools.map(({ id, enabled }) => ({ id, enabled })),
    hiredAt: row.hiredAt.toISOString(),
    onboardedAt: row.onboardedAt?.toISOString() ?? null,
    createdAt: row.hiredAt.toISOString(),
    pendingInterrupts: pending.filter(({ userAgentId }) => userAgentId === row._id).length,
    working: busy.has(row._id),
  }));
}

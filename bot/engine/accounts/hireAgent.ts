import { agentsAllowed, PLANS } from '../../../models/contracts/billing.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { findTool } from '../../../models/contracts/tools.ts';
import { nextId } from '../../../models/counter.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { readPlaces } from './readPlaces.ts';
import { requireActivePlan } from './trial.ts';

const find = (accountId: number, agentId: AgentId) => UserAgent.findOne({ accountId, agentId }).lean();

/**
 * Hires an agent; an agent that is already hired is returned unchanged.
 * @param plans the plans with the number of agents that each allows
 * @throws AppError not_allowed, trial_over, plan_full
 */
export async function hireAgent(who: Who, agentId: AgentId, plans: readonly PlanSize[] = PLANS): Promise<UserAgentRow> {
  const { accountId, userId } = who;
  if (!may(who, 'agent.hire')) throw new AppError('not_allowed');
  const standing = await find(accountId, agentId);
  if (standing && standing.status !== 'let-go') return standing;
  await requireActivePlan(accountId);
  await requirePlace(accountId, agentId, plans, 1);
  await recordEvent(accountId, 'agent.hired', { userId, subject: `agent:${agentId}`, outcome: 'hired' });
  const hired = standing ? await hireAgain(who, standing) : await hireFirst(who, agentId);
  await requirePlace(accountId, agentId, plans, 0).catch(async (error: unknown) => {
    // Agents hired at the same moment all see each other only now.
    await recordEvent(accountId, 'agent.let-go', { userId, subject: `agent:${agentId}`, outcome: 'no place left' });
    await changing(accountId, ['agents'], () =>
      UserAgent.updateOne({ _id: hired._id, accountId }, { $set: { status: 'let-go' } }),
    );
    throw error;
  });
  return hired;
}

async function hireFirst({ accountId, userId }: Who, agentId: AgentId): Promise<UserAgentRow> {
  const tools = (findAgent(agentId)?.defaultTools ?? []).map((id) => ({ id, enabled: true }));
  const _id = await nextId('userAgent');
  await changing(accountId, ['agents'], () =>
    onceByKey(() =>
      UserAgent.create({
        _id,
        accountId,
        userId,
        agentId,
        status: 'hired',
        tools,
        hiredAt: new Date(),
        onboardedAt: null,
      }),
    ),
  );
  return requireRow(await find(accountId, agentId));
}

type PlanSize = { id: string; name: string; agents: number | null };

/**
 * @param more agents about to be hired, in addition to those hired already
 * @throws AppError plan_full if they exceed the plan's limit; agents in preparation never do
 */
async function requirePlace(
  accountId: number,
  agentId: AgentId,
  plans: readonly PlanSize[],
  more: number,
): Promise<void> {
  if (findAgent(agentId)?.status !== 'working') return;
  const { plan, hired } = await readPlaces(accountId);
  const agents = agentsAllowed(plan, plans);
  const name = plans.find(({ id }) => id === plan)?.name ?? plan;
  if (agents !== null && hired + more > agents) throw new AppError('plan_full', { plan: name, agents });
}

/** Hires an agent that was let go: its row stands, so its earlier work is its own. */
async function hireAgain({ userId }: Who, { _id, accountId, agentId }: UserAgentRow): Promise<UserAgentRow> {
  const change = { userId, status: 'hired', hiredAt: new Date(), onboardedAt: null, allowedTools: [] };
  await changing(accountId, ['agents'], () =>
    UserAgent.updateOne({ _id, accountId, status: 'let-go' }, { $set: change }),
  );
  return requireRow(await find(accountId, agentId));
}

export type ToolChoice = string | { id: string; enabled: boolean };

/**
 * Completes an agent's onboarding with the chosen tools; called again, it changes the tools.
 * @throws AppError not_found where the agent is not hired, not_allowed where the tools may not be changed, bad_request
 *   for a tool that does not exist or that the agent does not use
 */
export async function onboardAgent(who: Who, agentId: AgentId, choices: readonly ToolChoice[]): Promise<UserAgentRow> {
  const { accountId } = who;
  const hired = await find(accountId, agentId);
  if (!hired || hired.status === 'let-go') throw new AppError('not_found');
  if (hired.onboardedAt && !may(who, 'agent.change-tools')) throw new AppError('not_allowed');
  const chosen = new Map(choices.map((it) => (typeof it === 'string' ? [it, true] : [it.id, it.enabled])));
  const known = [...new Set([...(findAgent(agentId)?.defaultTools ?? []), ...hired.tools.map(({ id }) => id)])];
  refuseOthers(chosen.keys(), known);
  const tools = known.map((id) => ({ id, enabled: chosen.get(id) ?? false }));
  const on = tools.filter(({ enabled }) => enabled).map(({ id }) => id);
  const stays = hired.tools.filter(({ enabled }) => enabled).map(({ id }) => id);
  if (hired.status === 'onboarded' && [...stays].sort().join(' ') === [...on].sort().join(' ')) return hired;
  await recordEvent(accountId, 'agent.tools-changed', {
    userId: who.userId,
    subject: `agent:${agentId}`,
    outcome: on.length > 0 ? `on: ${on.join(' ')}` : 'all off',
  });
  await changing(accountId, ['agents', 'workspaces'], () =>
    UserAgent.updateOne(
      { accountId, agentId },
      { $set: { status: 'onboarded', tools, onboardedAt: hired.onboardedAt ?? new Date() } },
    ),
  );
  return requireRow(await find(accountId, agentId));
}

/** @throws AppError bad_request naming the first tool that the agent does not use */
function refuseOthers(chosen: Iterable<string>, known: readonly string[]): void {
  for (const id of chosen) {
    if (known.includes(id)) continue;
    const tool = findTool(id);
    const tools = tool ? `This agent does not use ${tool.name}.` : 'There is no such tool.';
    throw new AppError('bad_request', {}, { fields: { tools } });
  }
}

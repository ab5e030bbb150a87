import { AutomationJob } from '../../../models/automationJob.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { requireHiredAgent } from './hiredAgents.ts';

/**
 * Lets an agent go. What it made stays readable and its schedules are switched off; hired again, it is onboarded anew.
 * @returns the number of schedules that were switched off
 * @throws AppError not_allowed, not_found, agent_at_work while it works or waits for an answer
 */
export async function letAgentGo(who: Who, userAgentId: number): Promise<number> {
  const { accountId, userId } = who;
  const agent = await requireHiredAgent(accountId, userAgentId);
  if (!may(who, 'agent.let-go', agent)) throw new AppError('not_allowed');
  const card = findAgent(agent.agentId);
  const name = card?.displayName ?? agent.agentId;
  if (await Run.exists({ accountId, userAgentId, status: { $in: ['ready', 'waiting'] } }))
    throw new AppError('agent_at_work', { name });
  await recordEvent(accountId, 'agent.let-go', {
    userId,
    subject: `user-agent:${userAgentId}`,
    outcome: agent.agentId,
  });
  return changing(accountId, ['agents', 'automation', 'workspaces'], async () => {
    // Gone first: a schedule that is due meanwhile finds no agent.
    await UserAgent.updateOne({ _id: userAgentId, accountId }, { $set: { status: 'let-go', onboardedAt: null } });
    const { modifiedCount } = await AutomationJob.updateMany(
      { accountId, enabled: true, action: { $in: (card?.schedules ?? []).map(({ action }) => action) } },
      { $set: { enabled: false, nextRunAt: null, lastOutcome: `Switched off: ${name} was let go.` } },
    );
    return modifiedCount;
  });
}

import { AppError } from '../../../models/contracts/errors.ts';
import type { AgentAction } from '../../../models/contracts/userAgents.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { registeredAgent } from './registry.ts';

/** The tools of an agent that change something, and whether it asks before each use. */
export function actionsOf({
  agentId,
  allowedTools = [],
}: Pick<UserAgentRow, 'agentId' | 'allowedTools'>): AgentAction[] {
  const tools = registeredAgent(agentId).thinkingTools ?? [];
  return tools
    .filter(({ effect }) => effect === 'writes')
    .map(({ name, label }) => ({ name, label, asks: !allowedTools.includes(name) }));
}

/**
 * Lets an agent use a tool without asking in this account, or has it ask again. It is in the audit.
 * @returns the agent's tools that change something
 * @throws AppError not_allowed; not_found for an agent or a tool that the account does not have
 */
export async function setAsksBefore(
  who: Who,
  userAgentId: number,
  name: string,
  asks: boolean,
): Promise<AgentAction[]> {
  if (!may(who, 'agent.change-tools')) throw new AppError('not_allowed');
  const { accountId } = who;
  const agent = await requireHiredAgent(accountId, userAgentId);
  const action = actionsOf(agent).find((one) => one.name === name);
  if (!action) throw new AppError('not_found');
  if (action.asks !== asks) {
    await recordEvent(accountId, 'tool.allowed', {
      userId: who.userId,
      subject: `agent:${agent._id}:${name}`,
      outcome: asks ? 'asks first' : 'without asking',
    });
    await changing(accountId, ['agents'], () =>
      UserAgent.updateOne(
        { _id: agent._id, accountId },
        asks ? { $pull: { allowedTools: name } } : { $addToSet: { allowedTools: name } },
      ),
    );
  }
  return actionsOf(await requireHiredAgent(accountId, userAgentId));
}

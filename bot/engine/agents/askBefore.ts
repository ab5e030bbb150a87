import { AppError } from '../../../models/contracts/errors.ts';
import type { AgentAction } from '../../../models/contracts/userAgents.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { readServerTools } from '../thinking/serverTools.ts';
import { readSharedTools } from '../thinking/sharedTools.ts';
import { allowanceOf } from '../thinking/tool.ts';
import { registeredAgent } from './registry.ts';

/** The tools of an agent that change something, those of allowed servers included. */
async function writingTools({ _id, accountId, agentId }: Pick<UserAgentRow, '_id' | 'accountId' | 'agentId'>) {
  const own = registeredAgent(agentId).thinkingTools;
  // Only an agent that thinks uses tools of servers.
  const tools = own ? [...own, ...readSharedTools(), ...(await readServerTools(accountId, _id))] : [];
  return tools.filter(({ effect }) => effect !== 'reads');
}

/** The tools of an agent that change something, and whether it asks before each use. */
export async function actionsOf(
  agent: Pick<UserAgentRow, '_id' | 'accountId' | 'agentId' | 'allowedTools'>,
): Promise<AgentAction[]> {
  const { allowedTools = [] } = agent;
  const tools = await writingTools(agent);
  return tools.map((tool) => ({
    name: tool.name,
    label: tool.label,
    asks: !allowedTools.includes(allowanceOf(tool)),
  }));
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
  const [tool, action] = [
    (await writingTools(agent)).find((one) => one.name === name),
    (await actionsOf(agent)).find((one) => one.name === name),
  ];
  if (!tool || !action) throw new AppError('not_found');
  if (action.asks !== asks) {
    await recordEvent(accountId, 'tool.allowed', {
      userId: who.userId,
      subject: `agent:${agent._id}:${name}`,
      outcome: asks ? 'asks first' : 'without asking',
    });
    await changing(accountId, ['agents'], () =>
      UserAgent.updateOne(
        { _id: agent._id, accountId },
        asks ? { $pull: { allowedTools: allowanceOf(tool) } } : { $addToSet: { allowedTools: allowanceOf(tool) } },
      ),
    );
  }
  return actionsOf(await requireHiredAgent(accountId, userAgentId));
}

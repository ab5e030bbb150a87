import { runInBackground } from '../../../models/background.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { RunRow } from '../../../models/run.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { requireHiredAgent } from '../accounts/hiredAgents.ts';
import type { Route } from '../agents/agent.ts';
import { openChat } from '../conversations/threads.ts';
import { beginRun } from '../workflows/beginRun.ts';
import { executeRun } from '../workflows/executeRun.ts';
import type { Asker } from '../workflows/supersede.ts';

/**
 * An onboarded agent of the account.
 * @throws AppError not_found, agent_not_ready where it is not onboarded
 */
export async function requireAgent(who: Who, userAgentId: number): Promise<UserAgentRow> {
  const userAgent = await requireHiredAgent(who.accountId, userAgentId);
  if (userAgent.status !== 'onboarded') throw new AppError('agent_not_ready');
  return userAgent;
}

/**
 * Starts a run from an API call or a schedule; its messages go to the person's arc-chat.
 * @param asker who may withdraw an open question for it; the caller by default
 */
export async function startWork(
  who: Who,
  userAgent: UserAgentRow,
  startKey: string,
  route: Route,
  asker: Asker = { who },
): Promise<RunRow> {
  const agent = findAgent(userAgent.agentId);
  if (!agent) throw new AppError('agent_not_ready');
  const conversation = await openChat(who);
  const { run, created } = await beginRun(
    { ...route, userAgent, agent, conversation, userId: who.userId, startKey },
    async () => asker,
  );
  if (created) runInBackground('run', executeRun(run, conversation));
  return run;
}

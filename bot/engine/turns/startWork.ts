import { runInBackground } from '../../../models/background.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { RunRow } from '../../../models/run.ts';
import { UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';
import type { Route } from '../agents/agent.ts';
import { executeRun } from '../workflows/executeRun.ts';
import { startRun } from '../workflows/startRun.ts';
import { supersede } from '../workflows/supersede.ts';
import { arcAddress, openConversation } from './conversations.ts';

/** The hired agent of the account. @throws AppError not_found, agent_not_ready where it is not onboarded */
export async function requireAgent(who: Who, userAgentId: number): Promise<UserAgentRow> {
  const userAgent = (await UserAgent.findOne({
    _id: userAgentId,
    accountId: who.accountId,
  }).lean()) as UserAgentRow | null;
  if (!userAgent) throw new AppError('not_found');
  if (userAgent.status !== 'onboarded') throw new AppError('agent_not_ready');
  return userAgent;
}

/** Starts a run by a call rather than by words; its messages go to the caller's arc-chat. */
export async function startWork(who: Who, userAgent: UserAgentRow, startKey: string, route: Route): Promise<RunRow> {
  const agent = findAgent(userAgent.agentId);
  if (!agent) throw new AppError('agent_not_ready');
  const conversation = await openConversation(who.accountId, arcAddress(who.userId));
  await supersede(conversation, route.workflow);
  const { run, created } = await startRun({ ...route, userAgent, agent, conversation, userId: who.userId, startKey });
  if (created) runInBackground('run', executeRun(run, conversation));
  return run;
}

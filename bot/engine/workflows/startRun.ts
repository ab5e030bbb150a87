import { Types } from 'mongoose';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { nextId } from '../../../models/counter.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { isDuplicateKey, onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { changing } from '../../../models/store/revisions.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { Workspace } from '../../../models/workspace.ts';
import { requireActivePlan } from '../accounts/trial.ts';
import { requireCredit, reserveCredits } from '../credits/credits.ts';
import { newLease } from './lease.ts';
import { requireTool } from './requireTool.ts';
import { type Beginning, workflowNamed } from './workflow.ts';

export type NewRun = Beginning & {
  userAgent: UserAgentRow;
  agent: CatalogueAgent;
  conversation: ConversationRow | null;
  userId: number | null;
  /** What started it; the same key again gives the run that is there. */
  startKey: string;
  /** The tool that it needs, where that is not the workflow's. */
  tool?: string | undefined;
};

type Wanted = Pick<NewRun, 'userAgent' | 'workflow' | 'tool'>;

/** Checks that a run may begin: its tool is on, and it can be paid for. @throws AppError tool_off, trial_over, out_of_credit */
export async function requireStartable({ userAgent, workflow, tool }: Wanted): Promise<void> {
  const { accountId } = userAgent;
  const { reserve, tool: usual = null } = workflowNamed(workflow);
  requireTool(userAgent, tool ?? usual);
  await Promise.all([requireActivePlan(accountId), requireCredit(accountId, reserve)]);
}

/**
 * Starts a run, paid for and leased to this process. The caller executes it.
 * @returns the run, and whether this call made it
 * @throws AppError tool_off, trial_over, out_of_credit, run_in_progress where one of its kind is on the way already
 */
export async function startRun(it: NewRun): Promise<{ run: RunRow; created: boolean }> {
  await requireStartable(it);
  return insertRun(it);
}

async function insertRun(it: NewRun): Promise<{ run: RunRow; created: boolean }> {
  const { accountId } = it.userAgent;
  const workflow = workflowNamed(it.workflow);
  const run: RunRow = {
    _id: new Types.ObjectId(),
    accountId,
    workflow: it.workflow,
    userAgentId: it.userAgent._id,
    agentId: it.agent.id,
    conversationId: it.conversation?._id ?? null,
    userId: it.userId,
    startKey: it.startKey,
    workspaceId: workflow.title === null ? null : await nextId('workspace'),
    exclusive: workflow.exclusive ? workflow.name : null,
    goal: it.goal,
    channel: it.conversation?.address.channel ?? 'api',
    status: 'ready',
    step: workflow.first,
    round: 0,
    state: it.state,
    version: 1,
    lease: newLease(),
    cancelRequested: false,
    attempts: 1,
    reserved: workflow.reserve,
    spent: 0,
    error: null,
    createdAt: new Date(),
    endedAt: null,
  };
  try {
    await insertRow(Run, run);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Its own run first: it excludes itself too, and whoever started it must not be told that another one runs.
    const standing = await Run.findOne({ accountId, startKey: it.startKey }).lean();
    if (standing) return { run: standing, created: false };
    if (workflow.exclusive && isDuplicateKey(error, 'exclusive'))
      throw new AppError('run_in_progress', { noun: workflow.exclusive.noun });
    throw error;
  }
  try {
    await prepareRun(run);
  } catch (error) {
    // Refused is not begun: a row that stayed would be executed by the sweeper.
    if (error instanceof AppError) await Run.deleteOne({ _id: run._id, version: run.version });
    throw error;
  }
  return { run, created: true };
}

/**
 * What goes with a run: credits set aside, and the piece of work that people see. Keyed by the run, so that a process
 * that takes it over may do it again.
 * @throws AppError out_of_credit where others have used the credits since they were checked
 */
export async function prepareRun(run: RunRow): Promise<void> {
  const { title } = workflowNamed(run.workflow);
  // Paid for first: what can't be paid must leave no piece of work behind.
  await reserveCredits(chargeOf(run), run.reserved, title ?? 'Answer in chat');
  if (run.workspaceId !== null) await openWorkspace(run, run.workspaceId);
}

/** Under what a run is charged. */
export function chargeOf(run: RunRow) {
  return { accountId: run.accountId, runId: String(run._id), agentId: run.agentId, channel: run.channel };
}

async function openWorkspace(run: RunRow, _id: number): Promise<void> {
  const { accountId, userAgentId, agentId, goal } = run;
  await changing(accountId, ['workspaces', 'agents'], () =>
    onceByKey(() =>
      Workspace.create({ _id, accountId, userAgentId, agentId, runId: run._id, status: 'working', goal }),
    ),
  );
}

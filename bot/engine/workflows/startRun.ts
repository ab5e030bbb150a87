import { Types } from 'mongoose';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { nextId } from '../../../models/counter.ts';
import { type AskedBy, Run, type RunRow } from '../../../models/run.ts';
import { isDuplicateKey, onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { changing } from '../../../models/store/revisions.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { Workspace } from '../../../models/workspace.ts';
import { readWithin } from '../accounts/budgets.ts';
import { requireActivePlan } from '../accounts/trial.ts';
import { type Charge, requireBudget, requireCredit, reserveCredits } from '../credits/credits.ts';
import { FIRST_ATTEMPT, runs } from './lease.ts';
import { requireTool } from './requireTool.ts';
import { type Beginning, workflowNamed } from './workflow.ts';

export type NewRun = Beginning & {
  userAgent: UserAgentRow;
  agent: CatalogueAgent;
  conversation: ConversationRow | null;
  userId: number | null;
  /** Idempotency key: a repeated start returns the existing run. */
  startKey: string;
  /** The required tool, where it differs from the workflow's. */
  tool?: string | undefined;
  /** Set where another agent's run asks for this one. */
  askedBy?: AskedBy;
};

type Wanted = Pick<NewRun, 'userAgent' | 'workflow' | 'tool'>;

/**
 * Checks that a run may start: its tool is on, a trial or plan is active, and the credits suffice.
 * @throws AppError tool_off, trial_over, out_of_credit, over_budget
 */
export async function requireStartable({ userAgent, workflow, tool }: Wanted): Promise<void> {
  const { accountId } = userAgent;
  const { reserve, tool: usual = null } = workflowNamed(workflow);
  requireTool(userAgent, tool ?? usual);
  const within = await readWithin(accountId, userAgent.agentId);
  await Promise.all([
    requireActivePlan(accountId),
    requireCredit(accountId, reserve),
    requireBudget(accountId, userAgent.agentId, within, reserve),
  ]);
}

/**
 * Starts a run with its credits reserved and its lease held by this process. The caller executes it.
 * @returns the run, and whether this call created it
 * @throws AppError tool_off, trial_over, out_of_credit, over_budget, run_in_progress where an exclusive one is executing already
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
    askedBy: it.askedBy ?? null,
    status: 'ready',
    step: workflow.first,
    round: 0,
    state: it.state,
    version: 1,
    ...runs.newClaim(),
    cancelRequested: false,
    attempts: FIRST_ATTEMPT,
    reserved: workflow.reserve,
    spent: 0,
    createdAt: new Date(),
    endedAt: null,
  };
  try {
    await insertRow(Run, run);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Checked first: a repeated start must get its own run, not `run_in_progress`.
    const standing = await Run.findOne({ accountId, startKey: it.startKey }).lean();
    if (standing) return { run: standing, created: false };
    if (workflow.exclusive && isDuplicateKey(error, 'exclusive'))
      throw new AppError('run_in_progress', { noun: workflow.exclusive.noun });
    throw error;
  }
  try {
    await prepareRun(run);
  } catch (error) {
    // The row must go: otherwise the sweeper would execute it.
    if (error instanceof AppError) await Run.deleteOne({ _id: run._id, version: run.version });
    throw error;
  }
  return { run, created: true };
}

/**
 * Reserves a run's credits and creates its workspace. Idempotent, so that a process that takes the run over may repeat
 * it.
 * @throws AppError out_of_credit, over_budget where others have used the credits since they were checked
 */
export async function prepareRun(run: RunRow): Promise<void> {
  const { title } = workflowNamed(run.workflow);
  // Reserved first: a run that can't be paid for must not leave a workspace.
  if (run.reserved > 0) await reserveCredits(await chargeOf(run), run.reserved, title ?? 'Answer in chat');
  if (run.workspaceId !== null) await openWorkspace(run, run.workspaceId);
}

/** The charge of a run in the ledger. */
export async function chargeOf({
  _id,
  accountId,
  agentId,
  channel,
  userId,
}: Pick<RunRow, '_id' | 'accountId' | 'agentId' | 'channel' | 'userId'>): Promise<Charge> {
  return { accountId, runId: String(_id), agentId, channel, userId, within: await readWithin(accountId, agentId) };
}

async function openWorkspace(run: RunRow, _id: number): Promise<void> {
  const { accountId, userAgentId, agentId, goal } = run;
  await changing(accountId, ['workspaces', 'agents'], () =>
    onceByKey(() =>
      Workspace.create({ _id, accountId, userAgentId, agentId, runId: run._id, status: 'working', goal }),
    ),
  );
}

import { type CatalogueAgent, findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow, type RunStatus } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace } from '../../../models/workspace.ts';
import { settleCredits } from '../billing/credits.ts';
import { say } from '../delivery/say.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import { raiseInterrupt } from '../interrupts/raiseInterrupt.ts';
import { holdRun, newLease, releaseRun } from './lease.ts';
import { ended, showProgress } from './progress.ts';
import { chargeOf, prepareRun } from './startRun.ts';
import { type StepContext, type StepResult, type Workflow, workflowNamed } from './workflow.ts';

/** A step that fails this often, each time for a reason that is ours, ends its run. */
const MOST_ATTEMPTS = 3;

/**
 * Works a run that this process holds the lease of, step after step, until it is done, waits for a person, or has
 * lost its lease. Each step's outcome is one conditional write on the run's version.
 */
export function executeRun(taken: RunRow, known?: ConversationRow | null, answered?: InterruptRow): Promise<void> {
  return runInAccount(taken.accountId, async () => {
    const controller = holdRun(taken._id);
    try {
      const conversation =
        known ?? (taken.conversationId ? await Conversation.findById(taken.conversationId).lean() : null);
      // Taken over: what its first owner may not have got to goes with it.
      if (taken.attempts > 1) await prepareRun(taken);
      await work(taken, conversation, controller.signal, answered);
    } catch (error) {
      logger.error({ err: error, run: String(taken._id) }, 'run could not be worked');
    } finally {
      releaseRun(taken._id);
    }
  });
}

async function work(
  taken: RunRow,
  conversation: ConversationRow | null,
  signal: AbortSignal,
  answered?: InterruptRow,
): Promise<void> {
  const workflow = workflowNamed(taken.workflow);
  const agent = findAgent(taken.agentId);
  if (!agent) throw new Error(`No agent is called ${taken.agentId}.`);
  let run: RunRow | null = taken;
  while (run && run.status === 'ready') {
    if (signal.aborted || run.cancelRequested) return endCancelled(run, conversation);
    showProgress(run, conversation);
    const outcome = await attemptStep(run, workflow, agent, conversation, signal, answered);
    if ('error' in outcome) return handleFailure(run, workflow, conversation, outcome.error, signal);
    run = await settleStep(run, workflow, conversation, agent, outcome.result);
  }
}

async function attemptStep(
  run: RunRow,
  workflow: Workflow,
  agent: CatalogueAgent,
  conversation: ConversationRow | null,
  signal: AbortSignal,
  answered: InterruptRow | undefined,
): Promise<{ result: StepResult } | { error: unknown }> {
  const step = workflow.steps[run.step];
  if (!step) return { error: new Error(`${workflow.name} has no step ${run.step}.`) };
  try {
    return { result: await step.run(contextOf(run, agent, conversation, signal, answered)) };
  } catch (error) {
    return { error };
  }
}

function contextOf(
  run: RunRow,
  agent: CatalogueAgent,
  conversation: ConversationRow | null,
  signal: AbortSignal,
  answered: InterruptRow | undefined,
): StepContext {
  return {
    run,
    agent,
    conversation,
    signal,
    async say(saying) {
      if (!conversation) return null;
      return say(conversation, {
        ...saying,
        key: `run:${run._id}:${saying.key}`,
        agent: { agentId: agent.id, displayName: agent.displayName },
      });
    },
    progress: (label, done, total) => showProgress(run, conversation, { label, done, total }),
    async answer() {
      const asked = Number(run.state.interruptId);
      if (answered?._id === asked) return answered;
      const row = (await Interrupt.findOne({ _id: asked }).lean()) as InterruptRow | null;
      if (!row) throw new Error('The run was resumed and never asked.');
      // Withdrawn, and the process that withdrew it ended before it could end the run: there is no answer to go on with.
      if (row.status === 'cancelled') throw new AppError('cancelled');
      return row;
    },
  };
}

/** Saves what a step gave. @returns the run as it stands, or null where another process has it by now */
async function settleStep(
  run: RunRow,
  workflow: Workflow,
  conversation: ConversationRow | null,
  agent: CatalogueAgent,
  result: StepResult,
): Promise<RunRow | null> {
  const spent = run.spent + (result.cost ?? 0);
  const state = { ...run.state, ...result.state };
  if ('done' in result) {
    await endRun({ ...run, spent, state }, workflow, conversation, 'completed', result.done.output);
    return null;
  }
  if ('next' in result && !('ask' in result)) {
    return save(run, { step: result.next, state, spent, attempts: 1, lease: newLease() });
  }
  const question = result.ask;
  const asked = await raiseInterrupt({ ...run, state }, conversation, agent, question);
  const waiting = await save(run, {
    status: 'waiting',
    step: result.next,
    round: run.round + 1,
    state: { ...state, interruptId: asked._id },
    spent,
    attempts: 0,
    lease: null,
  });
  if (!waiting) return null;
  await changeWorkspace(waiting, { status: 'waiting' });
  showProgress(waiting, conversation);
  // The answer, or a cancel, may have come between the question and the save: then nobody else goes on with the run.
  const [now, standing] = await Promise.all([
    Interrupt.findOne({ _id: asked._id }, { status: 1 }).lean(),
    Run.findOne({ _id: run._id }, { cancelRequested: 1 }).lean(),
  ]);
  if (standing?.cancelRequested) {
    await withdraw(waiting, conversation);
    return null;
  }
  return (now as InterruptRow | null)?.status === 'resolved' ? claimWaiting(waiting) : null;
}

/** Ends a run that waits: its question is withdrawn first, so that no answer resumes what is over. */
export async function withdraw(waiting: RunRow, conversation: ConversationRow | null, why?: string): Promise<void> {
  await cancelInterrupts(waiting._id);
  const run = await claimWaiting(waiting);
  if (run) await endCancelled(run, conversation, why);
}

/** Turns a waiting run into one that this process works on. @returns null where someone else was first */
export async function claimWaiting(run: Pick<RunRow, '_id'>): Promise<RunRow | null> {
  return Run.findOneAndUpdate(
    { _id: run._id, status: 'waiting' },
    { $set: { status: 'ready', lease: newLease(), attempts: 1 }, $inc: { version: 1 } },
    { returnDocument: 'after' },
  ).lean() as Promise<RunRow | null>;
}

async function save(run: RunRow, change: Partial<RunRow>): Promise<RunRow | null> {
  const { modifiedCount } = await Run.updateOne(
    { _id: run._id, version: run.version, status: 'ready' },
    { $set: change, $inc: { version: 1 } },
  );
  return modifiedCount === 1 ? { ...run, ...change, version: run.version + 1 } : null;
}

async function changeWorkspace(run: RunRow, change: Record<string, unknown>): Promise<void> {
  if (run.workspaceId === null) return;
  await changing(run.accountId, ['workspaces', 'agents'], () =>
    Workspace.updateOne({ _id: run.workspaceId }, { $set: change }),
  );
}

/**
 * Ends a run. What belongs to the end is keyed and comes first; the run's own status comes last, so that a crash in
 * between makes it end again rather than half.
 */
export async function endRun(
  run: RunRow,
  workflow: Workflow,
  conversation: ConversationRow | null,
  status: Extract<RunStatus, 'completed' | 'failed' | 'cancelled'>,
  output: string | null,
): Promise<void> {
  if (status !== 'completed') await workflow.ended?.({ run, status });
  const change = {
    status,
    spent: run.spent,
    state: run.state,
    error: status === 'completed' ? null : output,
    lease: null,
    endedAt: new Date(),
  };
  await Promise.all([
    settleCredits(chargeOf(run), run.reserved, run.spent, workflow.title ?? 'Answer in chat'),
    changeWorkspace(run, { status, output }),
  ]);
  const saved = await Run.updateOne({ _id: run._id, version: run.version }, { $set: change, $inc: { version: 1 } });
  if (saved.modifiedCount !== 1) return;
  const over = { ...run, ...change } as RunRow;
  showProgress(over, conversation);
  ended.emit(String(run._id), over);
}

/** Ends a run that was cancelled, and says so where it was asked for. */
export async function endCancelled(
  run: RunRow,
  conversation: ConversationRow | null,
  why = 'Cancelled. Nothing was changed, and the files are still here.',
): Promise<void> {
  await tell(run, conversation, 'cancelled', why);
  return endRun(run, workflowNamed(run.workflow), conversation, 'cancelled', null);
}

async function handleFailure(
  run: RunRow,
  workflow: Workflow,
  conversation: ConversationRow | null,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const cancelled = signal.aborted || (error instanceof AppError && error.code === 'cancelled');
  if (cancelled) return endCancelled(run, conversation);
  const expected = error instanceof AppError;
  logger[expected ? 'info' : 'error']({ err: error, run: String(run._id), step: run.step }, 'step failed');
  if (!expected && run.attempts < MOST_ATTEMPTS) {
    // Left ready with a lease that ends soon: the sweeper takes it up again.
    await save(run, { lease: { owner: run.lease?.owner ?? '', until: new Date(Date.now() + 1000 * run.attempts) } });
    return;
  }
  const { body } = toPublicError(error, String(run._id));
  await tell(run, conversation, expected ? 'refused' : 'failed', body.error);
  return endRun(run, workflow, conversation, 'failed', body.error);
}

async function tell(
  run: RunRow,
  conversation: ConversationRow | null,
  kind: 'cancelled' | 'refused' | 'failed',
  text: string,
): Promise<void> {
  if (!conversation) return;
  const agent = findAgent(run.agentId);
  await say(conversation, {
    key: `run:${run._id}:end`,
    kind,
    text,
    agent: agent ? { agentId: agent.id, displayName: agent.displayName } : null,
  });
}

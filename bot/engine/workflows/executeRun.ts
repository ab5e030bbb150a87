import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import type { MessageRow } from '../../../models/message.ts';
import { Run, type RunRow, type RunStatus } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace } from '../../../models/workspace.ts';
import { isReserved, settleCredits } from '../billing/credits.ts';
import { wakeAt } from '../delivery/dueTimers.ts';
import { refusalUnder } from '../delivery/refusalUnder.ts';
import { say } from '../delivery/say.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import { raiseInterrupt } from '../interrupts/raiseInterrupt.ts';
import { holdRun, newLease, releaseRun } from './lease.ts';
import { rested, showProgress } from './progress.ts';
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
      // Taken over: its first owner may have died before it had prepared everything.
      if (taken.attempts > 1) {
        const unpaid = await prepareRun(taken).then(
          () => null,
          (error: unknown) => error,
        );
        if (unpaid instanceof AppError) {
          // Nothing was reserved, so nothing is given back.
          const unreserved = { ...taken, reserved: 0 };
          return await handleFailure(
            unreserved,
            workflowNamed(taken.workflow),
            conversation,
            unpaid,
            controller.signal,
          );
        }
        if (unpaid) throw unpaid;
      }
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
  stop: AbortSignal,
  answered?: InterruptRow,
): Promise<void> {
  let signal = stop;
  const workflow = workflowNamed(taken.workflow);
  const agent = findAgent(taken.agentId);
  if (!agent) throw new Error(`No agent is called ${taken.agentId}.`);
  let run: RunRow | null = taken;
  while (run) {
    // What was answered goes on: a cancel that was under way when the answer came must not stop it.
    if (signal.aborted && run.round > 0) signal = holdRun(run._id).signal;
    if (signal.aborted || (run.cancelRequested && run.round === 0)) return endCancelled(run, conversation);
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
      const row = await Interrupt.findOne({ _id: asked }).lean();
      if (!row) throw new Error('The run was resumed and never asked.');
      // Withdrawn, and the process that withdrew it ended before it could end the run: there is no answer to go on with.
      if (row.status === 'cancelled') throw new AppError('cancelled');
      if (row.status !== 'resolved') throw new Error(`Question ${asked} is not answered yet.`);
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
  if (!('ask' in result)) {
    return save(run, { step: result.next, state, spent, attempts: 1, lease: newLease() });
  }
  const question = result.ask;
  const { asked, deliver } = await raiseInterrupt({ ...run, state }, conversation, agent, question);
  const waiting = await save(run, {
    status: 'waiting',
    step: result.next,
    round: run.round + 1,
    state: { ...state, interruptId: asked._id },
    spent,
    attempts: 0,
    lease: null,
  });
  // Only now: whoever sees the question may already act on it, also by asking for the same work again.
  const [going] = await Promise.all([waiting ? continueIfSettled(waiting, conversation, asked) : null, deliver()]);
  return going;
}

/**
 * Follows the save that a run waits.
 * @returns the run, where its question was answered meanwhile and this process continues it
 */
async function continueIfSettled(
  waiting: RunRow,
  conversation: ConversationRow | null,
  asked: InterruptRow,
): Promise<RunRow | null> {
  rested.emit(String(waiting._id), waiting);
  await changeWorkspace(waiting, { status: 'waiting' });
  showProgress(waiting, conversation);
  // A cancel or the answer may have come between the question and the save: then nobody else goes on with the run.
  const standing = await Run.findOne({ _id: waiting._id }, { cancelRequested: 1 }).lean();
  if (standing?.cancelRequested) {
    await cancelInterrupts(waiting._id);
    const withdrawn = await Interrupt.exists({ _id: asked._id, status: 'cancelled' });
    const claimed = withdrawn ? await claimWaiting(waiting._id, asked._id) : null;
    if (claimed) await endCancelled(claimed, conversation);
    if (withdrawn) return null;
  }
  const answered = await Interrupt.exists({ _id: asked._id, status: 'resolved' });
  if (!answered) return null;
  const going = await claimWaiting(waiting._id, asked._id);
  if (going && standing?.cancelRequested && conversation)
    await say(conversation, { key: `run:${waiting._id}:not-cancelled`, kind: 'refused', text: ANSWERED_FIRST });
  return going;
}

const ANSWERED_FIRST =
  'This was answered before it could be cancelled. That answer stands, and the work goes on with it.';

/**
 * Turns a run that waits for one question into one that this process works on. A cancel that was asked for before the
 * question was settled is over.
 * @returns null where it does not wait for that question, or another process was first
 */
export async function claimWaiting(runId: RunRow['_id'], interruptId: unknown): Promise<RunRow | null> {
  return Run.findOneAndUpdate(
    { _id: runId, status: 'waiting', 'state.interruptId': interruptId },
    { $set: { status: 'ready', lease: newLease(), attempts: 1, cancelRequested: false }, $inc: { version: 1 } },
    { returnDocument: 'after' },
  ).lean();
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
async function endRun(
  run: RunRow,
  workflow: Workflow,
  conversation: ConversationRow | null,
  status: Extract<RunStatus, 'completed' | 'failed' | 'cancelled'>,
  output: string | null,
): Promise<void> {
  if (status !== 'completed') {
    // A question that nothing waits for any more must not stay open.
    await cancelInterrupts(run._id);
    await workflow.ended?.({ run, status });
  }
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
  rested.emit(String(run._id), over);
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
  const cancelled = (signal.aborted && run.round === 0) || (error instanceof AppError && error.code === 'cancelled');
  if (cancelled) return endCancelled(run, conversation);
  const expected = error instanceof AppError;
  logger[expected ? 'info' : 'error']({ err: error, run: String(run._id), step: run.step }, 'step failed');
  if (!expected && run.attempts < MOST_ATTEMPTS) {
    // Left ready with a lease that ends soon: the sweeper takes it up again.
    const until = new Date(Date.now() + 1000 * run.attempts);
    await save(run, { lease: { owner: run.lease?.owner ?? '', until } });
    wakeAt('runs', until);
    return;
  }
  const { body } = toPublicError(error, String(run._id));
  const derived = expected ? refusalUnder(error) : null;
  await tell(run, conversation, expected ? 'refused' : 'failed', body.error, derived);
  return endRun(run, workflow, conversation, 'failed', body.error);
}

const SET_ASIDE =
  'Arc stopped each time it worked on this, so I have set the work aside. Credits that it did not use are back. Try it with another file or in other words, or tell support the reference';

/** Ends a run that took the process down each time it was worked, without working it once more, and says so. */
export async function setAsideRun(run: RunRow, conversation: ConversationRow | null): Promise<void> {
  logger.error(
    { run: String(run._id), account: run.accountId, workflow: run.workflow, step: run.step },
    'run set aside: it ended the process each time',
  );
  const text = `${SET_ASIDE} ${run._id}.`;
  // It may have died before its credits were reserved; what was not reserved is not given back.
  const charged = await isReserved(chargeOf(run));
  await tell(run, conversation, 'failed', text);
  await endRun(charged ? run : { ...run, reserved: 0 }, workflowNamed(run.workflow), conversation, 'failed', text);
}

async function tell(
  run: RunRow,
  conversation: ConversationRow | null,
  kind: 'cancelled' | 'refused' | 'failed',
  text: string,
  derived: MessageRow['derived'] = null,
): Promise<void> {
  if (!conversation) return;
  const agent = findAgent(run.agentId);
  await say(conversation, {
    key: `run:${run._id}:end`,
    kind,
    text,
    derived,
    agent: agent ? { agentId: agent.id, displayName: agent.displayName } : null,
  });
}

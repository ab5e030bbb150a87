import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import type { RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { LeaseLost } from '../../../models/store/work.ts';
import { traced } from '../../../models/tracing.ts';
import { readReserved } from '../credits/credits.ts';
import { say } from '../delivery/say.ts';
import { closeDraft, forgetDraft } from './drafts.ts';
import { endCancelled, handleFailure, isCancellable } from './endRun.ts';
import type { Execution } from './execution.ts';
import { runs } from './lease.ts';
import { showProgress } from './progress.ts';
import { settleStep } from './settleStep.ts';
import { chargeOf, prepareRun } from './startRun.ts';
import { type StepContext, type StepResult, staysCancellable, workflowNamed } from './workflow.ts';

/**
 * Executes a run whose lease this process holds, step by step, until it is done, waits for a person, or the lease is
 * lost. Each step's outcome is one conditional write on the run's version. In a process that carries nothing on, workers
 * are told instead.
 * @param isTakenOver whether another process began it
 */
export async function executeRun(
  taken: RunRow,
  known?: ConversationRow | null,
  answered?: InterruptRow,
  isTakenOver = false,
): Promise<void> {
  if (!runs.noteClaim(taken)) return;
  const of = { 'arc.run': String(taken._id), 'arc.account': taken.accountId, 'arc.agent': taken.agentId };
  const named = { trace: taken.startKey, ...of, 'arc.workflow': taken.workflow, 'arc.attempt': taken.attempts };
  await traced('run', named, () => executeIn(taken, known, answered, isTakenOver));
}

function executeIn(
  taken: RunRow,
  known: ConversationRow | null | undefined,
  answered: InterruptRow | undefined,
  isTakenOver: boolean,
): Promise<void> {
  return runInAccount(taken.accountId, async () => {
    try {
      // A run that was answered while its question was delivered goes on here under another lease.
      for (let next: RunRow | null = taken; next; ) {
        const run: RunRow = next;
        next = await runs.hold(run, (signal) => executeHeld({ taken, run, known, answered, isTakenOver }, signal));
      }
    } catch (error) {
      logger.error({ err: error, run: String(taken._id) }, 'run could not be executed');
    } finally {
      if (!runs.isHeld(taken._id)) forgetDraft(taken._id);
    }
  });
}

type Taken = {
  taken: RunRow;
  run: RunRow;
  known: ConversationRow | null | undefined;
  answered: InterruptRow | undefined;
  isTakenOver: boolean;
};

/** Executes a run under one lease. @returns the run where it goes on here under another lease or signal; else null */
async function executeHeld(
  { taken, run, known, answered, isTakenOver }: Taken,
  signal: AbortSignal,
): Promise<RunRow | null> {
  const conversation =
    known ?? (taken.conversationId ? await Conversation.findById(taken.conversationId).lean() : null);
  const placed = { run, conversation, signal };
  // The process that began it may have died before the run was prepared.
  if (run === taken && (isTakenOver || taken.attempts > 1)) {
    const unpaid = await prepareRun(taken).then(
      () => null,
      (error: unknown) => error,
    );
    // Nothing was reserved, so nothing may be refunded.
    if (unpaid instanceof AppError) {
      await handleFailure({ ...placed, run: { ...taken, reserved: 0 } }, unpaid);
      return null;
    }
    if (unpaid) throw unpaid;
    // It may also have died after a step reserved more, before that was saved.
    placed.run = { ...taken, reserved: await readReserved(await chargeOf(taken)) };
  }
  const workflow = workflowNamed(taken.workflow);
  const agent = findAgent(taken.agentId);
  if (!agent) throw new Error(`No agent is called ${taken.agentId}.`);
  return work({ ...placed, workflow, agent, answered });
}

/** @returns as {@link executeHeld} */
async function work(begun: Execution): Promise<RunRow | null> {
  const { signal } = begun;
  let run: RunRow | null = begun.run;
  while (run) {
    if (signal.reason instanceof LeaseLost) throw signal.reason;
    if (run.lease?.id !== begun.run.lease?.id) return run;
    // An answer wins over a cancel that was in progress when it came.
    if (signal.aborted && run.round > 0 && !staysCancellable(run)) return run;
    const execution: Execution = { ...begun, run };
    if (signal.aborted || (run.cancelRequested && isCancellable(execution))) {
      await endCancelled(execution);
      return null;
    }
    showProgress(run, execution.conversation);
    const outcome = await attemptStep(execution);
    // Another process has the run: nothing of this attempt is said or saved.
    if (signal.reason instanceof LeaseLost) throw signal.reason;
    if ('error' in outcome) {
      await handleFailure(execution, outcome.error);
      return null;
    }
    run = await settleStep(execution, outcome.result);
  }
  return null;
}

async function attemptStep(execution: Execution): Promise<{ result: StepResult } | { error: unknown }> {
  const { run, workflow } = execution;
  const step = workflow.steps[run.step];
  if (!step) return { error: new Error(`${workflow.name} has no step ${run.step}.`) };
  try {
    return { result: await traced('step', { 'arc.step': run.step }, () => step.run(contextOf(execution))) };
  } catch (error) {
    return { error };
  }
}

function contextOf({ run, agent, conversation, signal, answered }: Execution): StepContext {
  return {
    run,
    state: run.state,
    agent,
    conversation,
    signal,
    async say(saying) {
      if (!conversation) return null;
      // The first message after a draft is the complete answer.
      const draft = await closeDraft(run);
      return say(conversation, {
        ...saying,
        shown: draft?.shown ?? null,
        key: `run:${run._id}:${saying.key}`,
        agent: { agentId: agent.id, displayName: agent.displayName },
      });
    },
    progress: (label, done, total, written) =>
      showProgress(run, conversation, { label, done, total, ...(written ? { written } : {}) }),
    async answer() {
      const asked = Number(run.state.interruptId);
      if (answered?._id === asked) return answered;
      const row = await Interrupt.findOne({ _id: asked }).lean();
      if (!row) throw new Error('The run was resumed but never asked a question.');
      // The question was withdrawn, and the process died before it ended the run.
      if (row.status === 'cancelled') throw new AppError('cancelled');
      if (row.status !== 'resolved') throw new Error(`Question ${asked} is not answered yet.`);
      return row;
    },
  };
}

import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import type { MessageRow } from '../../../models/message.ts';
import { Run, type RunRow, type RunStatus } from '../../../models/run.ts';
import { LeaseLost } from '../../../models/store/work.ts';
import { readReserved, settleCredits } from '../credits/credits.ts';
import { refusalUnder } from '../delivery/refusalUnder.ts';
import { say } from '../delivery/say.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import { closeDraft } from './drafts.ts';
import type { Execution, PlacedRun } from './execution.ts';
import { runs } from './lease.ts';
import { warnOfLowCredit } from './lowCredit.ts';
import { showProgress, stoppedRuns } from './progress.ts';
import { changeWorkspace } from './saveRun.ts';
import { chargeOf } from './startRun.ts';
import { staysCancellable, workflowNamed } from './workflow.ts';

/**
 * Ends a run. Its side effects are idempotent and come first; the status is written last, so that a crash in between
 * repeats the end.
 * @param output the result; for a run that was not completed, the reason, as people read it
 */
export async function endRun(
  { run, conversation }: PlacedRun,
  status: Extract<RunStatus, 'completed' | 'failed' | 'cancelled'>,
  output: string | null,
): Promise<void> {
  const workflow = workflowNamed(run.workflow);
  if (status !== 'completed') {
    // No run waits for these questions any more.
    await cancelInterrupts(run._id);
    await workflow.ended?.({ run, status });
  }
  const change = {
    status,
    spent: run.spent,
    state: run.state,
    error: status === 'completed' ? null : output,
    lease: null,
    draft: null,
    endedAt: new Date(),
  };
  const charge = await chargeOf(run);
  await Promise.all([
    settleCredits(charge, run.reserved, run.spent, workflow.title ?? 'Answer in chat', modelOf(run)),
    changeWorkspace(run, { status, output }),
  ]);
  await warnOfLowCredit({ run, conversation });
  const saved = await Run.updateOne({ _id: run._id, version: run.version }, { $set: change, $inc: { version: 1 } });
  if (saved.modifiedCount !== 1) return;
  const over: RunRow = { ...run, ...change };
  showProgress(over, conversation);
  stoppedRuns.emit(String(run._id), over);
}

/** The language model that worked on a run, where its state names one. */
const modelOf = ({ state }: RunRow): string | null => (typeof state.model === 'string' ? state.model : null);

const NOTHING_CHANGED = 'Cancelled. Nothing was changed, and the files are still here.';
const CHANGE_STANDS = 'Stopped. What was approved and done before stays.';
const RESULT_STANDS = 'Stopped. What was recorded before stays.';

/** Ends a cancelled run and posts that to its conversation. One that had recorded its result is completed with it. */
export async function endCancelled(placed: PlacedRun, why?: string): Promise<void> {
  const { workflow, state } = placed.run;
  const { recordedOutput, hasChanged } = workflowNamed(workflow);
  const recorded = recordedOutput?.(state) ?? null;
  const unchanged = hasChanged?.(state) ? CHANGE_STANDS : NOTHING_CHANGED;
  await cancelAsked(placed.run);
  await tell(placed, 'cancelled', why ?? (recorded === null ? unchanged : RESULT_STANDS));
  return endRun(placed, recorded === null ? 'cancelled' : 'completed', recorded);
}

/**
 * Cancels the runs that a cancelled run has asked other agents for, where they execute. Each cancels its own in turn.
 * Idempotent, and part of the end, so that a process that takes the end over repeats it.
 */
async function cancelAsked({ _id, accountId, conversationId }: RunRow): Promise<void> {
  const asked = await Run.find(
    { accountId, conversationId, status: 'ready', 'askedBy.runId': String(_id) },
    { _id: 1 },
  ).lean();
  for (const run of asked) {
    await Run.updateOne({ _id: run._id, status: 'ready' }, { $set: { cancelRequested: true } });
    runs.abort(run._id);
  }
}

/** Whether a cancel counts: until a question was answered, or also after it where the workflow or the step says so. */
export const isCancellable = ({ run }: Pick<Execution, 'run'>): boolean => run.round === 0 || staysCancellable(run);

/** Handles a failed step: the run is cancelled, retried, or fails and says so. */
export async function handleFailure(it: PlacedRun & Pick<Execution, 'signal'>, error: unknown): Promise<void> {
  const { run, signal } = it;
  // Another process has the run: nothing is said or saved here any more.
  if (signal.reason instanceof LeaseLost) return;
  const cancelled = (signal.aborted && isCancellable(it)) || (error instanceof AppError && error.code === 'cancelled');
  if (cancelled) return endCancelled(it);
  const expected = error instanceof AppError;
  logger[expected ? 'info' : 'error']({ err: error, run: String(run._id), step: run.step }, 'step failed');
  if (!expected && !runs.isLastAttempt(run)) return void (await runs.fail(run, error));
  const { body } = toPublicError(error, String(run._id));
  const derived = expected ? refusalUnder(error) : null;
  await tell(it, expected ? 'refused' : 'failed', body.error, derived);
  return endRun(it, 'failed', body.error);
}

const SET_ASIDE =
  'Arc stopped each time it worked on this, so I have set the work aside. Credits that it did not use are back. Try another file or other words, or give support the reference';

/** Ends a run that ended the process on every attempt, without executing it again, and says so. */
export async function setAsideRun({ run, conversation }: PlacedRun): Promise<void> {
  logger.error(
    { run: String(run._id), account: run.accountId, workflow: run.workflow, step: run.step },
    'run given up: it ended the process on every attempt',
  );
  const text = `${SET_ASIDE} ${run._id}.`;
  // The process may have died before credits were reserved; then none may be refunded.
  const reserved = await readReserved(await chargeOf(run));
  await tell({ run, conversation }, 'failed', text);
  await endRun({ run: { ...run, reserved }, conversation }, 'failed', text);
}

async function tell(
  { run, conversation }: PlacedRun,
  kind: 'cancelled' | 'refused' | 'failed',
  text: string,
  derived: MessageRow['derived'] = null,
): Promise<void> {
  if (!conversation) return;
  const draft = await closeDraft(run);
  const agent = findAgent(run.agentId);
  await say(conversation, {
    key: `run:${run._id}:end`,
    kind,
    ...wordsAtEnd(draft?.said ?? '', kind, text, derived),
    shown: draft?.shown ?? null,
    agent: agent ? { agentId: agent.id, displayName: agent.displayName } : null,
  });
}

const INCOMPLETE = 'Stopped before the answer was complete.';

/** The words at a run's end: a stopped answer stays as far as it was read, and says that it is not complete. */
function wordsAtEnd(said: string, kind: string, text: string, derived: MessageRow['derived']) {
  if (kind !== 'cancelled' || said === '') return { text, derived };
  return { text: `${said}\n\n${INCOMPLETE}`, derived: { redacted: INCOMPLETE, reference: INCOMPLETE } };
}

import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import type { MessageRow } from '../../../models/message.ts';
import { Run, type RunRow, type RunStatus } from '../../../models/run.ts';
import { isReserved, settleCredits } from '../credits/credits.ts';
import { wakeAt } from '../delivery/dueTimers.ts';
import { refusalUnder } from '../delivery/refusalUnder.ts';
import { say } from '../delivery/say.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import type { Execution, PlacedRun } from './execution.ts';
import { rested, showProgress } from './progress.ts';
import { changeWorkspace, saveRun } from './saveRun.ts';
import { chargeOf } from './startRun.ts';
import { workflowNamed } from './workflow.ts';

/** A step that fails this often, each time for a reason that is ours, ends its run. */
const MOST_ATTEMPTS = 3;

/**
 * Ends a run. What belongs to the end is keyed and comes first; the run's own status comes last, so that a crash in
 * between makes it end again rather than half.
 * @param output what came of it; where it was not completed, why, in words that people read
 */
export async function endRun(
  { run, conversation }: PlacedRun,
  status: Extract<RunStatus, 'completed' | 'failed' | 'cancelled'>,
  output: string | null,
): Promise<void> {
  const workflow = workflowNamed(run.workflow);
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
  const over: RunRow = { ...run, ...change };
  showProgress(over, conversation);
  rested.emit(String(run._id), over);
}

/** Ends a run that was cancelled, and says so where it was asked for. */
export async function endCancelled(
  placed: PlacedRun,
  why = 'Cancelled. Nothing was changed, and the files are still here.',
): Promise<void> {
  await tell(placed, 'cancelled', why);
  return endRun(placed, 'cancelled', null);
}

/** Follows a step that failed: the run is cancelled, tried again a little later, or failed, which is said. */
export async function handleFailure(it: PlacedRun & Pick<Execution, 'signal'>, error: unknown): Promise<void> {
  const { run, signal } = it;
  const cancelled = (signal.aborted && run.round === 0) || (error instanceof AppError && error.code === 'cancelled');
  if (cancelled) return endCancelled(it);
  const expected = error instanceof AppError;
  logger[expected ? 'info' : 'error']({ err: error, run: String(run._id), step: run.step }, 'step failed');
  if (!expected && run.attempts < MOST_ATTEMPTS) {
    // Left ready with a lease that ends soon: the sweeper takes it up again.
    const until = new Date(Date.now() + 1000 * run.attempts);
    await saveRun(run, { lease: { owner: run.lease?.owner ?? '', until } });
    wakeAt('runs', until);
    return;
  }
  const { body } = toPublicError(error, String(run._id));
  const derived = expected ? refusalUnder(error) : null;
  await tell(it, expected ? 'refused' : 'failed', body.error, derived);
  return endRun(it, 'failed', body.error);
}

const SET_ASIDE =
  'Arc stopped each time it worked on this, so I have set the work aside. Credits that it did not use are back. Try it with another file or in other words, or tell support the reference';

/** Ends a run that took the process down each time it was worked, without working it once more, and says so. */
export async function setAsideRun({ run, conversation }: PlacedRun): Promise<void> {
  logger.error(
    { run: String(run._id), account: run.accountId, workflow: run.workflow, step: run.step },
    'run set aside: it ended the process each time',
  );
  const text = `${SET_ASIDE} ${run._id}.`;
  // It may have died before its credits were reserved; what was not reserved is not given back.
  const charged = await isReserved(chargeOf(run));
  await tell({ run, conversation }, 'failed', text);
  await endRun({ run: charged ? run : { ...run, reserved: 0 }, conversation }, 'failed', text);
}

async function tell(
  { run, conversation }: PlacedRun,
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

import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { say } from '../delivery/say.ts';
import { cancelInterrupts } from '../interrupts/cancelInterrupts.ts';
import { raiseInterrupt } from '../interrupts/raiseInterrupt.ts';
import { endDraft } from './drafts.ts';
import { endCancelled, endRun } from './endRun.ts';
import type { Execution, PlacedRun } from './execution.ts';
import { runs } from './lease.ts';
import { showProgress, stoppedRuns } from './progress.ts';
import { changeWorkspace, claimWaiting, saveRun } from './saveRun.ts';
import type { StepResult } from './workflow.ts';

/**
 * Saves a step's result.
 * @returns the updated run; null where it ended, waits, or another process has it
 */
export async function settleStep({ run, conversation, agent }: Execution, result: StepResult): Promise<RunRow | null> {
  const spent = run.spent + (result.cost ?? 0);
  const reserved = result.reserved ?? run.reserved;
  const state = { ...run.state, ...result.state };
  if ('done' in result) {
    await endRun({ run: { ...run, spent, reserved, state }, conversation }, 'completed', result.done.output);
    return null;
  }
  if (!('ask' in result)) {
    return saveRun(run, { step: result.next, state, spent, reserved, attempts: 1 });
  }
  const question = result.ask;
  // A question may wait for days; a stream may not.
  await endDraft(run, conversation);
  const { asked, deliver } = await raiseInterrupt({ ...run, state }, conversation, agent, question);
  const waiting = await saveRun(run, {
    status: 'waiting',
    step: result.next,
    round: run.round + 1,
    state: { ...state, interruptId: asked._id },
    spent,
    reserved,
    attempts: 0,
    lease: null,
    draft: null,
  });
  // An answer may resume it in this process while its question is still delivered here.
  if (waiting) runs.letGo(waiting);
  // Sent only now: whoever sees the question may act on it at once, also by asking for the same work again.
  const [going] = await Promise.all([
    waiting ? continueIfSettled({ run: waiting, conversation }, asked) : null,
    deliver(),
  ]);
  return going;
}

/**
 * Handles what happened between asking the question and saving that the run waits.
 * @returns the run where the question was answered and this process continues it; null otherwise
 */
async function continueIfSettled(
  { run: waiting, conversation }: PlacedRun,
  asked: InterruptRow,
): Promise<RunRow | null> {
  stoppedRuns.emit(String(waiting._id), waiting);
  await changeWorkspace(waiting, { status: 'waiting' });
  showProgress(waiting, conversation);
  // A cancel or an answer may have come before the save; then nobody else continues the run.
  const standing = await Run.findOne({ _id: waiting._id }, { cancelRequested: 1 }).lean();
  if (standing?.cancelRequested) {
    await cancelInterrupts(waiting._id);
    const withdrawn = await Interrupt.exists({ _id: asked._id, status: 'cancelled' });
    const claimed = withdrawn ? await claimWaiting(waiting._id, asked._id) : null;
    if (claimed) await endCancelled({ run: claimed, conversation });
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
  'This was answered before it could be cancelled. That answer stands, and the work continues with it.';

import { runInBackground } from '../../../models/background.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace, type WorkspaceRow } from '../../../models/workspace.ts';
import { runs } from './lease.ts';
import { continueRun } from './withdraw.ts';

/** Shorter executions are not shown as working: they end before anybody could see it. */
const SHOWN_AFTER_MS = 300;

/**
 * Resumes a run whose question was answered. If the run does not wait for this answer yet, nothing happens: the process
 * that asks checks for an answer after it has saved the waiting run.
 */
export async function resumeRun(answered: InterruptRow): Promise<void> {
  const { runId, accountId } = answered;
  // A program that asks from outside reads the answer itself.
  if (!runId) return;
  const run = await continueRun(runId, answered);
  if (!run) {
    const waits = await Run.exists({ _id: runId, status: 'waiting', 'state.interruptId': answered._id });
    if (waits) throw new Error('The run waits but could not be claimed.');
    return;
  }
  const show = () => {
    if (!runs.isHeld(runId) || run.workspaceId === null) return;
    runInBackground(
      'showing that a run works',
      runInAccount(accountId, () => showWorking(run)),
    );
  };
  setTimeout(show, SHOWN_AFTER_MS).unref();
}

async function showWorking({ _id, accountId, workspaceId }: RunRow): Promise<void> {
  const change = (from: WorkspaceRow['status'], to: WorkspaceRow['status']) =>
    changing(accountId, ['workspaces', 'agents'], () =>
      Workspace.updateOne({ _id: workspaceId, status: from }, { $set: { status: to } }),
    );
  await change('waiting', 'working');
  // The run may have asked its next question while this was written.
  if (await Run.exists({ _id, status: 'waiting' })) await change('working', 'waiting');
}

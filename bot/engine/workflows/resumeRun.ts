import { runInBackground } from '../../../models/background.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { Run } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace } from '../../../models/workspace.ts';
import { claimWaiting, executeRun } from './executeRun.ts';
import { isActiveHere } from './lease.ts';

/** A run that goes on for longer than this shows as working again; most are over before anyone could see it. */
const SHOWN_AFTER_MILLISECONDS = 300;

/**
 * Goes on with a run whose question has been answered. A run that is not waiting (yet) is left alone: the process
 * that asks looks for the answer itself once it has saved that it waits.
 */
export async function resumeRun(answered: InterruptRow): Promise<void> {
  const { runId, accountId } = answered;
  const run = await claimWaiting({ _id: runId });
  if (!run) {
    const standing = await Run.findOne({ _id: runId }, { status: 1 }).lean();
    if (standing?.status === 'waiting') throw new Error('The run waits and could not be claimed.');
    return;
  }
  runInBackground('run', executeRun(run, undefined, answered));
  const show = () => {
    if (!isActiveHere(runId) || run.workspaceId === null) return;
    const change = () =>
      changing(accountId, ['workspaces', 'agents'], () =>
        Workspace.updateOne({ _id: run.workspaceId, status: 'waiting' }, { $set: { status: 'working' } }),
      );
    runInBackground('showing that a run works', runInAccount(accountId, change));
  };
  setTimeout(show, SHOWN_AFTER_MILLISECONDS).unref();
}

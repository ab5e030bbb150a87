import type { Types } from 'mongoose';
import { Run } from '../../../models/run.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace } from '../../../models/workspace.ts';
import { claimWaiting, executeRun } from './executeRun.ts';

/**
 * Goes on with a run whose question has been answered. A run that is not waiting (yet) is left alone: the process
 * that asks looks for the answer itself once it has saved that it waits.
 */
export async function resumeRun(runId: Types.ObjectId): Promise<void> {
  const run = await claimWaiting({ _id: runId });
  if (!run) {
    const standing = await Run.findOne({ _id: runId }, { status: 1 }).lean();
    if (standing?.status === 'waiting') throw new Error('The run waits and could not be claimed.');
    return;
  }
  void executeRun(run);
  if (run.workspaceId === null) return;
  await changing(run.accountId, ['workspaces', 'agents'], () =>
    Workspace.updateOne({ _id: run.workspaceId, status: 'waiting' }, { $set: { status: 'working' } }),
  );
}

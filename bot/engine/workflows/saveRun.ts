import { Run, type RunRow } from '../../../models/run.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace } from '../../../models/workspace.ts';
import { newLease } from './lease.ts';

/** Saves a change to a run that is ready, by its version. @returns null where another process was first */
export async function saveRun(run: RunRow, change: Partial<RunRow>): Promise<RunRow | null> {
  const { modifiedCount } = await Run.updateOne(
    { _id: run._id, version: run.version, status: 'ready' },
    { $set: change, $inc: { version: 1 } },
  );
  return modifiedCount === 1 ? { ...run, ...change, version: run.version + 1 } : null;
}

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

/** Changes the piece of work that people see of a run; a run without one changes nothing. */
export async function changeWorkspace(run: RunRow, change: Record<string, unknown>): Promise<void> {
  if (run.workspaceId === null) return;
  await changing(run.accountId, ['workspaces', 'agents'], () =>
    Workspace.updateOne({ _id: run.workspaceId }, { $set: change }),
  );
}

import { countEvent } from '../../../models/metrics.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Workspace } from '../../../models/workspace.ts';
import { FIRST_ATTEMPT, runs } from './lease.ts';

/**
 * Saves a change to a ready run, conditional on its version.
 * @returns null where another process was first
 */
export async function saveRun(run: RunRow, change: Partial<RunRow>): Promise<RunRow | null> {
  const { modifiedCount } = await Run.updateOne(
    { _id: run._id, version: run.version, status: 'ready' },
    { $set: change, $inc: { version: 1 } },
  );
  if (modifiedCount === 1) return { ...run, ...change, version: run.version + 1 };
  countEvent('leases_lost');
  return null;
}

/**
 * Claims a run that waits for one question, so that this process executes it, or a worker does. Clears an earlier cancel
 * request.
 * @param isEnded claims it for this process whatever its role, which ends it
 * @returns null where it does not wait for that question, or another process was first
 */
export async function claimWaiting(
  runId: RunRow['_id'],
  interruptId: unknown,
  isEnded = false,
): Promise<RunRow | null> {
  const claim = isEnded ? runs.newClaim(true) : runs.newClaim();
  return Run.findOneAndUpdate(
    { _id: runId, status: 'waiting', 'state.interruptId': interruptId },
    {
      $set: { status: 'ready', ...claim, attempts: isEnded ? 1 : FIRST_ATTEMPT, cancelRequested: false },
      $inc: { version: 1 },
    },
    { returnDocument: 'after' },
  ).lean();
}

/** Updates a run's workspace, where it has one. */
export async function changeWorkspace(run: RunRow, change: Record<string, unknown>): Promise<void> {
  if (run.workspaceId === null) return;
  await changing(run.accountId, ['workspaces', 'agents'], () =>
    Workspace.updateOne({ _id: run.workspaceId }, { $set: change }),
  );
}

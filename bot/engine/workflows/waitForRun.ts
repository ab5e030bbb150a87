import type { Types } from 'mongoose';
import { Run, type RunRow, type RunStatus } from '../../../models/run.ts';
import { stoppedRuns } from './progress.ts';

const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];
/** Not executing: waiting for an answer or ended. */
export const NOT_EXECUTING: readonly RunStatus[] = ['waiting', ...ENDED];

/**
 * Waits until a run has ended, or has one of the given states. Listens to this process's event and polls the store
 * twice a second, for runs of other processes.
 * @param milliseconds the longest wait
 * @returns the run; null on timeout
 */
export async function waitForRun(
  runId: Types.ObjectId,
  milliseconds: number,
  states: readonly RunStatus[] = ENDED,
): Promise<RunRow | null> {
  return new Promise((resolve, reject) => {
    const finish = (run: RunRow | null) => {
      clearTimeout(timer);
      clearInterval(poll);
      stoppedRuns.off(String(runId), look);
      resolve(run);
    };
    const look = (run: RunRow | null) => {
      if (run && states.includes(run.status)) finish(run);
    };
    const read = () => {
      Run.findOne({ _id: runId }).lean().then(look, reject);
    };
    const timer = setTimeout(() => finish(null), milliseconds);
    const poll = setInterval(read, 500);
    stoppedRuns.on(String(runId), look);
    read();
  });
}

import type { Types } from 'mongoose';
import { Run, type RunRow, type RunStatus } from '../../../models/run.ts';
import { stoppedRuns } from './progress.ts';

const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];

export const hasEnded = ({ status }: Pick<RunRow, 'status'>): boolean => ENDED.includes(status);
/** Whether a run waits for an answer or has ended. */
export const isNotExecuting = (run: Pick<RunRow, 'status'>): boolean => run.status === 'waiting' || hasEnded(run);

/**
 * Waits until a run has ended, or is as given. Listens to this process's event and polls the store
 * twice a second, for runs of other processes.
 * @param milliseconds the longest wait
 * @param signal ends the wait early
 * @returns the run; null on timeout, and where the signal is aborted
 */
export async function waitForRun(
  runId: Types.ObjectId,
  milliseconds: number,
  isAwaited: (run: RunRow) => boolean = hasEnded,
  signal?: AbortSignal,
): Promise<RunRow | null> {
  return new Promise((resolve, reject) => {
    const finish = (run: RunRow | null) => {
      signal?.removeEventListener('abort', stop);
      clearTimeout(timer);
      clearInterval(poll);
      stoppedRuns.off(String(runId), look);
      resolve(run);
    };
    const look = (run: RunRow | null) => {
      if (run && isAwaited(run)) finish(run);
    };
    const stop = () => finish(null);
    const read = () => {
      Run.findOne({ _id: runId }).lean().then(look, reject);
    };
    const timer = setTimeout(() => finish(null), milliseconds);
    const poll = setInterval(read, 500);
    stoppedRuns.on(String(runId), look);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    else read();
  });
}

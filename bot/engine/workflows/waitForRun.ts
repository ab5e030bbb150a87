import type { Types } from 'mongoose';
import { Run, type RunRow } from '../../../models/run.ts';
import { ended } from './progress.ts';

const ENDED = new Set<RunRow['status']>(['completed', 'failed', 'cancelled']);

/**
 * Waits until a run has ended, told by this process's own event; the store is asked twice a second, for runs that
 * another process works on.
 * @returns the run, or null when it has not ended in time
 */
export async function waitForRun(runId: Types.ObjectId, milliseconds: number): Promise<RunRow | null> {
  const read = async () => {
    const run = await Run.findOne({ _id: runId }).lean();
    return run && ENDED.has(run.status) ? run : null;
  };
  return new Promise((resolve, reject) => {
    const finish = (run: RunRow | null) => {
      clearTimeout(timer);
      clearInterval(poll);
      ended.off(String(runId), finish);
      resolve(run);
    };
    const ask = () => {
      read().then((run) => run && finish(run), reject);
    };
    const timer = setTimeout(() => finish(null), milliseconds);
    const poll = setInterval(ask, 500);
    ended.once(String(runId), finish);
    ask();
  });
}

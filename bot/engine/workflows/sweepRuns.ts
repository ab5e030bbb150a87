import { runInBackground } from '../../../models/background.ts';
import { logger } from '../../../models/logger.ts';
import { Run } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { executeRun } from './executeRun.ts';
import { isActiveHere, isDeadOwner, takeRun } from './lease.ts';

/** Takes up runs that nobody works on any more: their process died, or their step is to be tried again. */
export async function sweepRuns(): Promise<number> {
  const ready = await dangerouslyRunInEveryAccount(() =>
    Run.find({ status: 'ready' }, { accountId: 1, lease: 1 }).limit(500).lean(),
  );
  let taken = 0;
  for (const { _id, accountId, lease } of ready) {
    if (isActiveHere(_id)) continue;
    await runInAccount(accountId, async () => {
      if (lease && isDeadOwner(lease.owner)) {
        await Run.updateOne({ _id, 'lease.owner': lease.owner }, { $set: { lease: null } });
      }
      const run = await takeRun(_id);
      if (!run) return;
      taken += 1;
      logger.info({ run: String(_id), step: run.step }, 'run taken up again');
      runInBackground('run', executeRun(run));
    });
  }
  return taken;
}

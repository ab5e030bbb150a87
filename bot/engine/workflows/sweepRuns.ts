import { runInBackground } from '../../../models/background.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { isDeadOwner } from '../../../models/store/processName.ts';
import { setAsideRun } from './endRun.ts';
import { executeRun } from './executeRun.ts';
import { isActiveHere, takeRun } from './lease.ts';
import { continueRun, conversationOfRun, questionOf, withdraw } from './withdraw.ts';

/** How long a run that crashed the process repeatedly executes alone before the next is taken over. */
const WATCHED_MS = 1000;

/**
 * Takes over ready runs without a live process, and due retries. A run that ended the process on every attempt is given
 * up.
 * @returns the number taken over
 */
export async function sweepRuns(): Promise<number> {
  const ready = await dangerouslyRunInEveryAccount(() =>
    Run.find({ status: 'ready' }, { accountId: 1, lease: 1 }).sort({ _id: 1 }).limit(500).lean(),
  );
  let taken = 0;
  for (const { _id, accountId, lease } of ready) {
    if (isActiveHere(_id)) continue;
    await runInAccount(accountId, async () => {
      if (lease && isDeadOwner(lease.owner)) {
        await Run.updateOne({ _id, 'lease.owner': lease.owner }, { $set: { lease: null } });
      }
      // Counted in the same write: a run that ends the process leaves no other trace.
      const run = await takeRun(_id);
      if (!run) return;
      taken += 1;
      if (run.attempts > LIMITS.crashes) return setAsideRun({ run, conversation: await conversationOfRun(run) });
      logger.info({ run: String(_id), step: run.step, attempts: run.attempts }, 'run resumed by the sweeper');
      const worked = executeRun(run);
      // Executed alone, so that another crash can be attributed to it.
      if (run.attempts === LIMITS.crashes) await Promise.race([worked, delay(WATCHED_MS)]);
      else runInBackground('run', worked);
    }).catch((error: unknown) => logger.error({ err: error, run: String(_id) }, 'run could not be resumed'));
  }
  return taken;
}

const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const BATCH = 500;

/**
 * Settles waiting runs: resumes those with an answer, ends those whose question is gone or whose cancel was requested,
 * so that none holds credits for ever.
 * @returns the number settled
 */
export async function sweepWaiting(): Promise<number> {
  let left = 0;
  let after: RunRow['_id'] | null = null;
  for (;;) {
    const waiting: RunRow[] = await dangerouslyRunInEveryAccount(() =>
      Run.find({ status: 'waiting', ...(after ? { _id: { $gt: after } } : {}) })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean(),
    );
    for (const run of waiting) {
      const settled = await runInAccount(run.accountId, () => settleWaiting(run)).catch((error: unknown) => {
        logger.error({ err: error, run: String(run._id) }, 'a run that waits could not be settled');
        return false;
      });
      if (settled) left += 1;
    }
    after = waiting.at(-1)?._id ?? null;
    if (waiting.length < BATCH) return left;
  }
}

/** @returns whether the run was resumed or ended */
async function settleWaiting(run: RunRow): Promise<boolean> {
  const question: InterruptRow | null = await questionOf(run);
  if (question?.status === 'pending' && !run.cancelRequested) return false;
  if (question?.status === 'resolved') {
    // While the outbox holds `resume`, its sweep resumes the run.
    if (question.outbox.includes('resume')) return false;
    return (await continueRun(run._id, question)) !== null;
  }
  logger.warn(
    { run: String(run._id), question: question?._id ?? null },
    'a waiting run has no pending question and is ended',
  );
  return (await withdraw(run, await conversationOfRun(run))) === 'withdrawn';
}

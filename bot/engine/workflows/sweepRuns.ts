import type { InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { setAsideRun } from './endRun.ts';
import { executeRun } from './executeRun.ts';
import { runs } from './lease.ts';
import { continueRun, conversationOfRun, questionOf, withdraw } from './withdraw.ts';

/**
 * Takes over ready runs without a live process, and due retries. A run that ended the process on every attempt is given
 * up.
 * @returns the number taken over
 */
export async function sweepRuns(): Promise<number> {
  await runs.freeFromDeadOwners();
  return runs.sweep({
    handle(run) {
      logger.info({ run: String(run._id), step: run.step, attempts: run.attempts }, 'run resumed by the sweeper');
      return executeRun(run, undefined, undefined, true);
    },
    setAsidePart: (run) => runs.hold(run, async () => setAsideRun({ run, conversation: await conversationOfRun(run) })),
  });
}

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

import { runInBackground } from '../../../models/background.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { setAsideRun } from './endRun.ts';
import { executeRun } from './executeRun.ts';
import { isActiveHere, isDeadOwner, takeRun } from './lease.ts';
import { continueRun, conversationOfRun, questionOf, withdraw } from './withdraw.ts';

/** How long a run that was in more than one crash is watched before the next is taken over. */
const WATCHED_MILLISECONDS = 1000;

/**
 * Takes over runs that nobody works on any more: their process died, or their step is to be tried again. A run that was
 * being worked each time the process died is set aside.
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
      // The attempt is counted by the same write: a run that ends the process leaves no other trace.
      const run = await takeRun(_id);
      if (!run) return;
      taken += 1;
      if (run.attempts > LIMITS.crashes) return setAsideRun({ run, conversation: await conversationOfRun(run) });
      logger.info({ run: String(_id), step: run.step, attempts: run.attempts }, 'run taken up again');
      const worked = executeRun(run);
      // Alone, so that the run that ends the process is told from those that were worked beside it.
      if (run.attempts === LIMITS.crashes) await Promise.race([worked, delay(WATCHED_MILLISECONDS)]);
      else runInBackground('run', worked);
    }).catch((error: unknown) => logger.error({ err: error, run: String(_id) }, 'run could not be taken up again'));
  }
  return taken;
}

const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const BATCH = 500;

/**
 * Goes through the runs that wait: one whose question is answered goes on, and one whose question is gone or was to be
 * cancelled ends, so that none keeps its credits for ever.
 * @returns how many were left waiting
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

/** @returns whether the run was left waiting for nothing */
async function settleWaiting(run: RunRow): Promise<boolean> {
  const question: InterruptRow | null = await questionOf(run);
  if (question?.status === 'pending' && !run.cancelRequested) return false;
  if (question?.status === 'resolved') {
    // What follows an answer resumes the run; here only what it left behind.
    if (question.outbox.includes('resume')) return false;
    return (await continueRun(run._id, question)) !== null;
  }
  logger.warn({ run: String(run._id), question: question?._id ?? null }, 'a run waited for nothing and is ended');
  return (await withdraw(run, await conversationOfRun(run))) === 'withdrawn';
}

import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Engine } from '../storage/engine.ts';
import { Turn } from '../turn.ts';

type Job = { work: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** Batches concurrent writes into one transaction, as many as one turn has room for, so that they share one commit. */
export function writeQueue(engine: Engine, catalogue: Catalogue) {
  const waiting: Job[] = [];

  function commit(jobs: Job[]): void {
    const begun: Job[] = [];
    try {
      const values = engine.write(() => {
        const turn = new Turn();
        const done: unknown[] = [];
        for (let job = jobs.shift(); job; job = turn.isOver() ? undefined : jobs.shift()) {
          begun.push(job);
          done.push(job.work());
        }
        catalogue.persist();
        return done;
      });
      for (const [i, job] of begun.entries()) job.resolve(values[i]);
    } catch (error) {
      catalogue.reload();
      // One write rolled back the transaction of all: run each in its own. Without room on the disk none has begun.
      if (begun.length > 1) for (const job of begun) commit([job]);
      else (begun[0] ?? jobs.shift())?.reject(error);
    }
  }

  function commitWaiting(): void {
    commit(waiting);
    if (waiting.length > 0) setImmediate(commitWaiting);
  }

  return {
    /** Runs `work` in the next transaction. If it throws, its writes are rolled back; it may run more than once. */
    run: <T>(work: () => T): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Job['resolve'], reject });
        if (waiting.length === 1) setImmediate(commitWaiting);
      }),

    /** Resolves when no write is waiting. */
    async idle(): Promise<void> {
      while (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export type WriteQueue = ReturnType<typeof writeQueue>;

import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Engine } from '../storage/engine.ts';

type Job = { work: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** Batches concurrent writes into one transaction, so that they share one commit. */
export function writeQueue(engine: Engine, catalogue: Catalogue) {
  const waiting: Job[] = [];

  function commit(jobs: Job[]): void {
    try {
      const values = engine.write(() => {
        const done = jobs.map((job) => job.work());
        catalogue.persist();
        return done;
      });
      for (const [i, job] of jobs.entries()) job.resolve(values[i]);
    } catch (error) {
      catalogue.reload();
      // One write rolled back the transaction of all: run each in its own.
      if (jobs.length > 1) for (const job of jobs) commit([job]);
      else jobs[0]!.reject(error);
    }
  }

  return {
    /** Runs `work` in the next transaction. If it throws, its writes are rolled back; it may run more than once. */
    run: <T>(work: () => T): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Job['resolve'], reject });
        if (waiting.length === 1) setImmediate(() => commit(waiting.splice(0)));
      }),

    /** Resolves when no write is waiting. */
    async idle(): Promise<void> {
      while (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export type WriteQueue = ReturnType<typeof writeQueue>;

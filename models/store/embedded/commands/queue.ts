import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Engine } from '../storage/engine.ts';

type Job = { work: () => unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** Collects the writes that arrive together and runs them in one transaction, so that they share one commit. */
export class WriteQueue {
  private readonly engine: Engine;
  private readonly catalogue: Catalogue;
  private jobs: Job[] = [];

  constructor(engine: Engine, catalogue: Catalogue) {
    this.engine = engine;
    this.catalogue = catalogue;
  }

  /** Runs `work` in the next transaction. An error that it throws undoes all that it wrote; it may run again then. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.jobs.push({ work, resolve: resolve as Job['resolve'], reject });
      if (this.jobs.length === 1) setImmediate(() => this.commit(this.jobs.splice(0)));
    });
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    while (this.jobs.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  private commit(jobs: Job[]): void {
    try {
      const values = this.engine.write(() => {
        const done = jobs.map((job) => job.work());
        this.catalogue.persist();
        return done;
      });
      for (const [i, job] of jobs.entries()) job.resolve(values[i]);
    } catch (error) {
      this.catalogue.reload();
      // One of them broke the transaction for all: each gets its own.
      if (jobs.length > 1) for (const job of jobs) this.commit([job]);
      else jobs[0]!.reject(error);
    }
  }
}

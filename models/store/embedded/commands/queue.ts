import type { Catalogue } from '../catalogue/catalogue.ts';
import { CommandError } from '../errors.ts';
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

  /** Runs `work` in the next transaction. A CommandError it throws is its own; it must have written nothing then. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.jobs.push({ work, resolve: resolve as Job['resolve'], reject });
      if (this.jobs.length === 1) setImmediate(() => this.drain());
    });
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    while (this.jobs.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  private drain(): void {
    const jobs = this.jobs;
    this.jobs = [];
    const broken = this.attempt(jobs);
    if (!broken) return;
    for (const job of jobs) {
      // One of them broke the transaction for all: each gets its own.
      const error = jobs.length > 1 ? this.attempt([job]) : broken;
      if (error) job.reject(error);
    }
  }

  /** Runs jobs in one transaction; gives the error that rolled it back, if any. */
  private attempt(jobs: Job[]): CommandError | undefined {
    const done: (() => void)[] = [];
    try {
      this.engine.write(() => {
        for (const job of jobs) {
          try {
            const value = job.work();
            done.push(() => job.resolve(value));
          } catch (error) {
            if (!(error instanceof CommandError)) throw error;
            done.push(() => job.reject(error));
          }
        }
        this.catalogue.persist();
      });
    } catch (error) {
      this.catalogue.reload();
      return new CommandError('InternalError', (error as Error).message);
    }
    for (const settle of done) settle();
    return undefined;
  }
}

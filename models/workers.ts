import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The worker threads and their entry points; build.mjs bundles each one separately. */
export const WORKERS = {
  store: 'models/store/embedded/worker.ts',
  clinicalSafety: 'bot/agents/clinical_safety/worker/worker.ts',
  marketer: 'bot/agents/marketer/thread/worker.ts',
  ops: 'bot/agents/ops/thread/worker.ts',
  outreach: 'bot/agents/outreach/thread/worker.ts',
  professionaliser: 'bot/agents/professionaliser/thread/worker.ts',
  researcher: 'bot/agents/researcher/thread/worker.ts',
} as const;
export type WorkerName = keyof typeof WORKERS;

const here = dirname(fileURLToPath(import.meta.url));

/**
 * The bundle of a worker: next to this code in `dist`; in `.cache/workers` when running from the sources (dev, tests),
 * where `npm run dev` and the test run build it first.
 */
export function findWorker(name: WorkerName): string {
  const beside = join(here, 'workers', `${name}.js`);
  return existsSync(beside) ? beside : join(here, '..', '.cache', 'workers', `${name}.js`);
}

/** Starts a worker thread by its name. */
export function startWorker(name: WorkerName, options: WorkerOptions = {}): Worker {
  return new Worker(findWorker(name), options);
}

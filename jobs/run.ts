import { startRetryTimers } from '../bot/engine/turns/sweepAll.ts';
import { runInBackground } from '../models/background.ts';
import { env } from '../models/env.ts';
import { logger } from '../models/logger.ts';
import { connectedDatabase } from '../models/store/client.ts';
import { processName } from '../models/store/processName.ts';
import { JOBS } from './index.ts';
import type { Job } from './job.ts';

/** Runs one job: measures it and logs its errors, which never escape. */
export async function runJob(job: Job): Promise<void> {
  const begun = performance.now();
  try {
    await job.run();
    logger.debug({ job: job.name, milliseconds: Math.round(performance.now() - begun) }, 'job done');
  } catch (error) {
    logger.error({ err: error, job: job.name }, 'job failed');
  }
}

/** A process that has not renewed its hold of a job in this time has ended; another one runs the job. */
const LOCK_MS = 60_000 * env.PATIENCE_FACTOR;

/** Runs a job that agenda has locked for this process, and renews the lock meanwhile. */
export async function runLocked(job: Job, locked: { touch(): Promise<void> }): Promise<void> {
  const renewal = setInterval(() => runInBackground(`the lock of ${job.name}`, locked.touch()), LOCK_MS / 3);
  await runJob(job).finally(() => clearInterval(renewal));
}

/**
 * Counts the jobs that run.
 * @returns a function that resolves once none does and the queue has saved each
 */
function watchRunning(agenda: { on(event: 'start' | 'complete', heard: () => void): unknown }): () => Promise<void> {
  let running = 0;
  let ended = () => {};
  agenda.on('start', () => {
    running += 1;
  });
  agenda.on('complete', () => {
    running -= 1;
    if (running === 0) ended();
  });
  return () =>
    new Promise((resolve) => {
      ended = resolve;
      if (running === 0) resolve();
    });
}

/**
 * Starts agenda with every job on its schedule.
 * @returns a function that stops it after the running jobs have finished
 */
export async function startJobs(): Promise<() => Promise<void>> {
  const [{ Agenda }, { MongoBackend }] = await Promise.all([import('agenda'), import('@agendajs/mongo-backend')]);
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: connectedDatabase() as never }),
    name: processName,
    processEvery: Math.round(5000 * env.PATIENCE_FACTOR),
    defaultConcurrency: 1,
    defaultLockLifetime: LOCK_MS,
  });
  agenda.on('error', (error: unknown) => logger.error({ err: error }, 'queue'));
  const idle = watchRunning(agenda);
  for (const job of JOBS) agenda.define(job.name, (locked) => runLocked(job, locked));
  await agenda.start();
  for (const job of JOBS) await agenda.every(job.every, job.name);
  const stopTimers = startRetryTimers();
  return async () => {
    stopTimers();
    // It starts nothing more, but does not wait for what runs: that would find the store closed.
    await agenda.stop(false);
    await idle();
  };
}

import { startRetryTimers } from '../bot/engine/turns/sweepAll.ts';
import { logger } from '../models/logger.ts';
import { connectedDatabase } from '../models/store/client.ts';
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

/**
 * Starts agenda with every job on its schedule.
 * @returns a function that stops it after the running jobs have finished
 */
export async function startJobs(): Promise<() => Promise<void>> {
  const [{ Agenda }, { MongoBackend }] = await Promise.all([import('agenda'), import('@agendajs/mongo-backend')]);
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: connectedDatabase() as never }),
    processEvery: '5 seconds',
    defaultConcurrency: 1,
  });
  agenda.on('error', (error: unknown) => logger.error({ err: error }, 'queue'));
  for (const job of JOBS) agenda.define(job.name, () => runJob(job));
  await agenda.start();
  for (const job of JOBS) await agenda.every(job.every, job.name);
  const stopTimers = startRetryTimers();
  return () => {
    stopTimers();
    return agenda.stop(false);
  };
}

import { logger } from './logger.ts';

/**
 * Runs work that nobody waits for. A failure is logged as "`what` failed" and goes no further: a promise that is left
 * without a handler would end the process.
 */
export function runInBackground(what: string, work: Promise<unknown>): void {
  work.catch((error: unknown) => logger.error({ err: error }, `${what} failed`));
}

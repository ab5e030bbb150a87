import { logger } from './logger.ts';

/**
 * Runs work that no caller awaits. A failure is logged as "`what` failed"; an unhandled rejection would end the
 * process.
 */
export function runInBackground(what: string, work: Promise<unknown>): void {
  work.catch((error: unknown) => logger.error({ err: error }, `${what} failed`));
}

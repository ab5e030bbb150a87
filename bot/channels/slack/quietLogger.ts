import { logger } from '../../../models/logger.ts';

/** Passes the warnings and errors of Slack's libraries to the product's log. */
export const quietLogger = {
  debug() {},
  info() {},
  warn: (...text: unknown[]) => logger.warn({ text }, 'slack'),
  error: (...text: unknown[]) => logger.error({ text }, 'slack'),
  setLevel() {},
  getLevel: () => 'warn',
  setName() {},
};

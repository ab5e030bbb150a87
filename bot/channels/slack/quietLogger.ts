import { logger } from '../../../models/logger.ts';

/** What Slack's libraries log, in the product's own log: warnings and errors only. */
export const quietLogger = {
  debug() {},
  info() {},
  warn: (...text: unknown[]) => logger.warn({ text }, 'slack'),
  error: (...text: unknown[]) => logger.error({ text }, 'slack'),
  setLevel() {},
  getLevel: () => 'warn',
  setName() {},
};

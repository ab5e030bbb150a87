import { CronExpressionParser } from 'cron-parser';
import { AppError } from '../../../models/contracts/errors.ts';

/**
 * When a schedule is due next after a moment, in the account's zone: nine o'clock stays nine o'clock when the clocks
 * change.
 * @throws AppError bad_request for what is no five-part cron expression
 */
export function nextRun(cronExpression: string, timeZone: string, after = new Date()): Date {
  try {
    if (cronExpression.trim().split(/\s+/).length !== 5) throw new Error('five parts');
    return CronExpressionParser.parse(cronExpression, { tz: timeZone, currentDate: after }).next().toDate();
  } catch {
    throw new AppError('bad_request', {}, { fields: { cronExpression: 'Invalid CRON expression' } });
  }
}

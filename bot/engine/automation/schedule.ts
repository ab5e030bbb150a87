import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { AppError } from '../../../models/contracts/errors.ts';

/** @throws AppError bad_request for what is no five-part cron expression */
function parse(cronExpression: string, tz: string, currentDate: Date): CronExpression {
  try {
    if (cronExpression.trim().split(/\s+/).length !== 5) throw new Error('five parts');
    // The library takes H for a time of its own choice, another one each time it is asked.
    if (/(^|[\s,])H/.test(cronExpression)) throw new Error('no fixed time');
    return CronExpressionParser.parse(cronExpression, { tz, currentDate });
  } catch {
    throw new AppError('bad_request', {}, { fields: { cronExpression: 'Invalid CRON expression' } });
  }
}

/**
 * When a schedule is due next after a moment, in the account's zone: nine o'clock stays nine o'clock when the clocks
 * change.
 * @throws AppError bad_request for what is no five-part cron expression
 */
export function nextRun(cronExpression: string, timeZone: string, after = new Date()): Date {
  return parse(cronExpression, timeZone, after).next().toDate();
}

/** {@link nextRun}, and null for a schedule of before that is not understood any more. */
export function nextRunIfAny(cronExpression: string, timeZone: string, after: Date): Date | null {
  try {
    return nextRun(cronExpression, timeZone, after);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * A schedule in the one form that all ways of writing it have.
 * @throws AppError bad_request for what is no five-part cron expression, or comes more than once in an hour
 */
export function canonicalSchedule(cronExpression: string): string {
  const schedule = parse(cronExpression, 'UTC', new Date());
  if (schedule.fields.minute.values.length > 1) {
    const text = 'Choose times that are at least an hour apart: one minute, for example 0 9 * * 1.';
    throw new AppError('bad_request', {}, { fields: { cronExpression: text } });
  }
  return schedule.stringify();
}

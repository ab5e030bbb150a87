import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { AppError } from '../../../models/contracts/errors.ts';
import { faultIn, neverDue } from './scheduleFaults.ts';

const invalid = (why: string) => new AppError('bad_request', {}, { fields: { cronExpression: why } });

/** @throws AppError bad_request where it is not a five-part cron expression */
function parse(cronExpression: string, tz: string, currentDate: Date): CronExpression {
  try {
    if (cronExpression.trim().split(/\s+/).length !== 5) throw new Error('five parts');
    // The library replaces H by a random time, a different one at each parse.
    if (/(^|[\s,])H/.test(cronExpression)) throw new Error('no fixed time');
    return CronExpressionParser.parse(cronExpression, { tz, currentDate });
  } catch {
    throw invalid(faultIn(cronExpression));
  }
}

/** How far later the next time is looked for where the library finds none, and how often. */
const STEP_MS = 6 * 3_600_000;
const MAX_STEPS = 4;

/**
 * The next time of a schedule after a moment. Evaluated in the account's time zone, so that 09:00 stays 09:00 across
 * clock changes.
 * @throws AppError bad_request where it is not a five-part cron expression
 */
export function nextRun(cronExpression: string, timeZone: string, after = new Date()): Date {
  // The library finds no time from some moments before a change of the clocks by half an hour (Lord Howe Island).
  for (let from = after, tries = 0; ; from = new Date(from.getTime() + STEP_MS), tries += 1) {
    const schedule = parse(cronExpression, timeZone, from);
    try {
      return schedule.next().toDate();
    } catch (error) {
      if (!/loop limit/i.test(String(error))) throw error;
      if (tries >= MAX_STEPS) throw invalid(neverDue(cronExpression));
    }
  }
}

/** The next times of a schedule, as {@link nextRun} counts them; none for one that can't be parsed any more. */
export function nextRuns(cronExpression: string, timeZone: string, count: number, after = new Date()): Date[] {
  const times: Date[] = [];
  for (let last = after; times.length < count; ) {
    const next = nextRunIfAny(cronExpression, timeZone, last);
    if (!next) break;
    times.push(next);
    last = next;
  }
  return times;
}

/** {@link nextRun}; null for a stored expression that can't be parsed any more. */
export function nextRunIfAny(cronExpression: string, timeZone: string, after: Date): Date | null {
  try {
    return nextRun(cronExpression, timeZone, after);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * The canonical form of a schedule, equal for equivalent expressions.
 * @throws AppError bad_request where it is not a five-part cron expression, or is due more than once an hour
 */
export function canonicalSchedule(cronExpression: string): string {
  const schedule = parse(cronExpression, 'UTC', new Date());
  if (schedule.fields.minute.values.length > 1) {
    const text = 'Choose times that are at least an hour apart: one minute, for example 0 9 * * 1.';
    throw new AppError('bad_request', {}, { fields: { cronExpression: text } });
  }
  return schedule.stringify();
}

import { CronExpressionParser } from 'cron-parser';

/** Short forms, and what they stand for. */
const SHORT_FORMS: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const FIELDS = [
  { name: 'minute', takes: '0 to 59' },
  { name: 'hour', takes: '0 to 23' },
  { name: 'day of the month', takes: '1 to 31, or L for the last' },
  { name: 'month', takes: '1 to 12' },
  { name: 'day of the week', takes: '0 for Sunday to 6 for Saturday' },
] as const;
const EXAMPLE = 'for example 0 9 * * 1 for Mondays at 9:00';

/** Whether the library reads a value as one field, with every other field free. */
function isRead(value: string, at: number): boolean {
  try {
    CronExpressionParser.parse(FIELDS.map((_, index) => (index === at ? value : '*')).join(' '));
    return true;
  } catch {
    return false;
  }
}

/** Says of a schedule whose days its months don't have what to write instead. */
export function neverDue(cronExpression: string): string {
  const [minute, hour, day, month, weekday] = cronExpression.trim().split(/\s+/);
  return `It would never run, because the month has no day ${day}. For its last day write ${minute} ${hour} L ${month} ${weekday}.`;
}

/** Says what is wrong with an expression that is no schedule of five fields, and what to write instead. */
export function faultIn(cronExpression: string): string {
  const text = cronExpression.trim();
  const meant = SHORT_FORMS[text.toLowerCase()];
  if (meant) return `${text} is a short form. Write it with five fields: ${meant}.`;
  const values = text.split(/\s+/);
  if (values.length !== FIELDS.length)
    return `Write five fields (minute, hour, day of the month, month, day of the week), ${EXAMPLE}. There ${values.length === 1 ? 'is 1' : `are ${values.length}`}.`;
  const random = values.find((value) => /(^|,)H/.test(value));
  if (random) return `${random} stands for a random time. Write a fixed one, ${EXAMPLE}.`;
  const at = values.findIndex((value, index) => !isRead(value, index));
  const field = FIELDS[at];
  return field ? `${values[at]} is no ${field.name}, which takes ${field.takes}.` : neverDue(text);
}

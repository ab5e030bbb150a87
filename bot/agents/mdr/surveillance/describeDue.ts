import type { Day, ReportDue } from './dates.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "1 March 2026". */
export const dayText = (day: Day): string => DAY.format(new Date(`${day}T00:00:00Z`));

/** When a report is due, in one sentence with what it is counted from. */
export function describeDue({ market, report, basis, from, next, passed, everyYears }: ReportDue): string {
  const head = `${market}: ${report.toLowerCase()} (${basis}).`;
  if (everyYears === null) return `${head} It has no fixed day.`;
  if (!from || !next)
    return `${head} No date is counted: tell me the date of the certificate or of the first placing on the market.`;
  const before =
    passed > 0 ? ` ${passed === 1 ? 'One such day has' : `${passed} such days have`} passed before today.` : '';
  return `${head} Due by ${dayText(next)} at the latest, counted from ${from.what} on ${dayText(from.day)}.${before}`;
}

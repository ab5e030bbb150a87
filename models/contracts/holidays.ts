import { z } from 'zod';
import { shownName } from './oneLine.ts';

export const MAX_HOLIDAYS = 200;

/** A day, as YYYY-MM-DD, on which nobody of the company works. */
export const holiday = z.object({
  day: z.iso.date('Choose a day such as 2027-12-27.'),
  name: shownName(100, 'Please enter a name, e.g. Boxing Day.'),
});
export type Holiday = z.infer<typeof holiday>;

/**
 * Days off by date, each day once with the name that was given last, without those of more than a year ago.
 * @param today YYYY-MM-DD
 */
export function tidyHolidays(given: readonly Holiday[], today: string): Holiday[] {
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  const byDay = new Map(given.map((one) => [one.day, one]));
  return [...byDay.values()].filter(({ day }) => day >= yearAgo).sort((one, other) => (one.day < other.day ? -1 : 1));
}

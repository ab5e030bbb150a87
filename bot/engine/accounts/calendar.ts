import type { Pause } from '../../../models/contracts/interrupts.ts';
import { type Preferences, USUAL_WORKING_HOURS } from '../../../models/contracts/preferences.ts';
import { stampText } from '../../../models/contracts/zonedText.ts';
import { readAccountSettings } from './accountSettings.ts';

/** A company's working hours, days off and quiet hours, in its time zone. */
export type Calendar = Pick<Preferences, 'timeZone' | 'quietHours' | 'workingHours' | 'holidays'>;

/** Reads the calendar of an account. */
export async function readCalendar(accountId: number): Promise<Calendar> {
  const row = await readAccountSettings(accountId);
  return {
    timeZone: row?.timeZone ?? 'Europe/London',
    quietHours: row?.quietHours ?? null,
    workingHours: row?.workingHours ?? USUAL_WORKING_HOURS,
    holidays: row?.holidays ?? [],
  };
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Formatters by time zone, cached because creating one is slow. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  clocks.set(timeZone, made);
  return made;
}

/** The local weekday (1 is Monday) and minutes since midnight of a time in a zone. */
export function localTime(at: Date, timeZone: string): { day: number; minutes: number } {
  const parts = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const minutes = Number(parts.hour) * 60 + Number(parts.minute);
  return { day: WEEKDAYS.indexOf(parts.weekday ?? '') + 1, minutes };
}

/** The start of the minute, in epoch milliseconds. */
const wholeMinute = (at: Date) => Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;

/**
 * The time at which local clocks have advanced by `minutes` and show `target` minutes since midnight. Over a clock change
 * the elapsed time differs from `minutes` by an hour.
 */
function ahead(at: Date, minutes: number, target: number, timeZone: string): Date {
  const reached = new Date(wholeMinute(at) + minutes * MINUTE_MS);
  const beyond = localTime(reached, timeZone).minutes - (target % DAY_MINUTES);
  const nearest = ((beyond + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const corrected = new Date(reached.getTime() - nearest * MINUTE_MS);
  // A time that the clocks skip is never reached.
  return corrected > at ? corrected : reached;
}

/** The end of the quiet hours that a time lies in; null outside them. Quiet hours can span midnight. */
export function quietUntil(at: Date, { timeZone, quietHours }: Pick<Calendar, 'timeZone' | 'quietHours'>): Date | null {
  if (!quietHours) return null;
  const [from, to] = [minutesOf(quietHours.from), minutesOf(quietHours.to)];
  const { minutes } = localTime(at, timeZone);
  const sinceBegin = (minutes - from + DAY_MINUTES) % DAY_MINUTES;
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  return sinceBegin < length ? ahead(at, length - sinceBegin, to, timeZone) : null;
}

/**
 * The time at which this many minutes of working hours have passed since `since`. Time outside working hours, and days
 * off, do not count.
 */
export function addWorkingMinutes(since: Date, minutes: number, calendar: Calendar): Date {
  const { timeZone, workingHours } = calendar;
  const daysOff = new Set(calendar.holidays.map(({ day }) => day));
  const [from, to] = [minutesOf(workingHours.from), minutesOf(workingHours.to)];
  let at = since;
  for (let left = minutes; ; ) {
    const local = localTime(at, timeZone);
    const works = workingHours.days.includes(local.day) && !daysOff.has(stampText(at, timeZone).slice(0, 10));
    if (works && local.minutes >= from && local.minutes < to) {
      const rest = to - local.minutes;
      if (left <= rest) return new Date(at.getTime() + left * MINUTE_MS);
      left -= rest;
      at = ahead(at, rest, to, timeZone);
    } else {
      const next = works && local.minutes < from ? from : DAY_MINUTES;
      at = ahead(at, next - local.minutes, next, timeZone);
    }
  }
}

const HOUR_MS = 60 * MINUTE_MS;
const MONDAY = 1;

/** The first local midnight after a time at which `fits` holds for the new weekday. */
function midnightAfter(at: Date, timeZone: string, fits: (day: number) => boolean): Date {
  for (let next = at; ; ) {
    next = ahead(next, DAY_MINUTES - localTime(next, timeZone).minutes, DAY_MINUTES, timeZone);
    if (fits(localTime(next, timeZone).day)) return next;
  }
}

/** The last millisecond of a day in a time zone. @param day YYYY-MM-DD */
export function endOfDay(day: string, timeZone: string): Date {
  const noon = new Date(`${day}T12:00:00Z`);
  // From twelve hours ahead of UTC on, its noon is the next day already.
  const within = stampText(noon, timeZone).startsWith(day) ? noon : new Date(`${day}T06:00:00Z`);
  return new Date(midnightAfter(within, timeZone, () => true).getTime() - 1);
}

/** The end of a pause: in an hour, or when work begins on the next working day, or on the one from Monday on. */
export function pauseUntil(now: Date, pause: Pause, calendar: Calendar): Date {
  if (pause === 'hour') return new Date(now.getTime() + HOUR_MS);
  const midnight = midnightAfter(now, calendar.timeZone, (day) => pause === 'tomorrow' || day === MONDAY);
  // The first minute of work after it, and back to that minute's beginning.
  return new Date(addWorkingMinutes(midnight, 1, calendar).getTime() - MINUTE_MS);
}

import { describe, expect, test } from '@jest/globals';
import {
  addWorkingMinutes,
  type Calendar,
  endOfDay,
  localTime,
  pauseUntil,
  quietUntil,
} from '../../../bot/engine/accounts/calendar.ts';
import { USUAL_WORKING_HOURS } from '../../../models/contracts/preferences.ts';

const LONDON = 'Europe/London';
const NIGHT = { from: '22:00', to: '07:00' };
const iso = (at: Date | null) => at?.toISOString().slice(0, 16) ?? null;
const utc = (at: string) => new Date(`${at}Z`);

test.each([
  ['2027-01-04T00:00', LONDON, 1, 0],
  ['2027-01-10T23:59', LONDON, 7, 1439],
  ['2027-06-30T23:30', LONDON, 4, 30],
  ['2027-01-04T00:00', 'Asia/Kolkata', 1, 330],
  ['2027-01-04T00:00', 'America/New_York', 7, 1140],
])('%s in UTC is in %s day %d and minute %d', (at, zone, day, minutes) => {
  expect(localTime(utc(at), zone)).toEqual({ day, minutes });
});

describe('quiet hours', () => {
  const until = (at: string, quietHours: typeof NIGHT | null = NIGHT, timeZone = LONDON) =>
    iso(quietUntil(utc(at), { timeZone, quietHours }));

  test.each([
    ['2027-01-04T21:59', null],
    ['2027-01-04T22:00', '2027-01-05T07:00'],
    ['2027-01-05T06:59', '2027-01-05T07:00'],
    ['2027-01-05T07:00', null],
  ])('over midnight: at %s they last until %s', (at, end) => {
    expect(until(at)).toBe(end);
  });

  test('may lie in one day, or not be', () => {
    const noon = { from: '12:00', to: '13:00' };
    expect([until('2027-01-04T11:59', noon), until('2027-01-04T12:30', noon)]).toEqual([null, '2027-01-04T13:00']);
    expect(until('2027-01-04T23:00', null)).toBeNull();
  });

  test('are those of the company’s zone, also in nights in which the clocks change', () => {
    expect(until('2027-07-01T21:30')).toBe('2027-07-02T06:00');
    expect(until('2027-01-04T22:00', NIGHT, 'America/New_York')).toBeNull();
    // 28 March 2027: 07:00 is an hour earlier by UTC; 31 October: an hour later.
    expect(until('2027-03-27T23:00')).toBe('2027-03-28T06:00');
    expect(until('2027-10-30T22:00')).toBe('2027-10-31T07:00');
  });
});

describe('working time', () => {
  const reached = (
    at: string,
    minutes: number,
    workingHours = USUAL_WORKING_HOURS,
    timeZone = LONDON,
    holidays: Calendar['holidays'] = [],
  ) => iso(addWorkingMinutes(utc(at), minutes, { timeZone, quietHours: null, workingHours, holidays }));

  test.each([
    ['within a day', '2027-01-04T09:00', 60, '2027-01-04T10:00'],
    ['up to the end of a day', '2027-01-04T09:00', 510, '2027-01-04T17:30'],
    ['over a night', '2027-01-04T17:00', 60, '2027-01-05T09:30'],
    ['over a weekend', '2027-01-08T17:00', 31, '2027-01-11T09:01'],
    ['from before work', '2027-01-04T03:00', 30, '2027-01-04T09:30'],
    ['from the end of a day', '2027-01-04T17:30', 1, '2027-01-05T09:01'],
    ['from a day off', '2027-01-09T12:00', 10, '2027-01-11T09:10'],
    ['over several days', '2027-01-04T09:00', 3 * 510 + 1, '2027-01-07T09:01'],
    ['over the night in which summer time begins', '2027-03-26T17:00', 60, '2027-03-29T08:30'],
    ['over the night in which it ends', '2027-10-29T16:00', 60, '2027-11-01T09:30'],
  ])('passes %s', (_what, at, minutes, end) => {
    expect(reached(at, minutes)).toBe(end);
  });

  test('is that of the company’s days, hours and zone', () => {
    const weekend = { days: [6, 7], from: '10:00', to: '11:00' };
    expect(reached('2027-01-04T09:00', 61, weekend)).toBe('2027-01-10T10:01');
    expect(reached('2027-01-04T09:00', 60, USUAL_WORKING_HOURS, 'America/New_York')).toBe('2027-01-04T15:00');
    // In Asuncion the clocks go from 23:59 to 01:00 on 6 October 2024.
    expect(reached('2024-10-05T12:00', 5, { days: [7], from: '00:00', to: '09:00' }, 'America/Asuncion')).toBe(
      '2024-10-06T04:05',
    );
  });
});

describe('a day off', () => {
  const off = (...days: string[]) => days.map((day) => ({ day, name: 'Day off' }));
  const reached = (at: string, minutes: number, holidays: Calendar['holidays'], timeZone = LONDON) =>
    iso(
      addWorkingMinutes(utc(at), minutes, { timeZone, quietHours: null, workingHours: USUAL_WORKING_HOURS, holidays }),
    );

  test.each([
    ['is no working time', '2027-01-04T17:00', 60, off('2027-01-05'), '2027-01-06T09:30'],
    ['nor are several in a row', '2026-12-24T17:00', 60, off('2026-12-25', '2026-12-28'), '2026-12-29T09:30'],
    ['counts from its beginning', '2027-01-05T12:00', 10, off('2027-01-05'), '2027-01-06T09:10'],
    ['changes nothing before it', '2027-01-04T17:00', 30, off('2027-01-05'), '2027-01-04T17:30'],
    ['changes nothing in another year', '2027-01-04T17:00', 60, off('2028-01-05'), '2027-01-05T09:30'],
    ['on a weekend changes nothing', '2027-01-08T17:00', 31, off('2027-01-09'), '2027-01-11T09:01'],
    ['by the clocks’ change', '2027-03-26T17:00', 60, off('2027-03-29'), '2027-03-30T08:30'],
  ])('%s', (_what, at, minutes, holidays, end) => {
    expect(reached(at, minutes, holidays)).toBe(end);
  });

  test('is that of the company’s zone', () => {
    // 02:00 by UTC on the 6th is still the 5th in New York.
    expect(reached('2027-01-05T02:00', 10, off('2027-01-05'), 'America/New_York')).toBe('2027-01-06T14:10');
    expect(reached('2027-01-05T02:00', 10, off('2027-01-04'), 'America/New_York')).toBe('2027-01-05T14:10');
  });
});

describe('a pause', () => {
  const end = (
    at: string,
    pause: Parameters<typeof pauseUntil>[1],
    days = USUAL_WORKING_HOURS.days,
    timeZone = LONDON,
  ) =>
    iso(
      pauseUntil(utc(at), pause, {
        ...{ timeZone, quietHours: null, workingHours: { ...USUAL_WORKING_HOURS, days } },
        holidays: [{ day: '2027-05-03', name: 'Early May' }],
      }),
    );

  test.each([
    ['2027-01-04T10:15', 'hour', '2027-01-04T11:15'],
    // Monday; the next working day begins at nine.
    ['2027-01-04T10:15', 'tomorrow', '2027-01-05T09:00'],
    ['2027-01-04T00:00', 'tomorrow', '2027-01-05T09:00'],
    ['2027-01-04T23:59', 'tomorrow', '2027-01-05T09:00'],
    // Friday and Saturday: Monday is the next working day.
    ['2027-01-08T10:15', 'tomorrow', '2027-01-11T09:00'],
    ['2027-01-09T10:15', 'tomorrow', '2027-01-11T09:00'],
    ['2027-01-04T10:15', 'next-week', '2027-01-11T09:00'],
    ['2027-01-10T23:59', 'next-week', '2027-01-11T09:00'],
    ['2027-01-11T00:00', 'next-week', '2027-01-18T09:00'],
    // The clocks go forward on Sunday 28 March 2027, and back on 31 October.
    ['2027-03-26T17:00', 'tomorrow', '2027-03-29T08:00'],
    // Monday 3 May is a day off.
    ['2027-04-30T10:00', 'tomorrow', '2027-05-04T08:00'],
    ['2027-04-30T10:00', 'next-week', '2027-05-04T08:00'],
    ['2027-10-29T17:00', 'next-week', '2027-11-01T09:00'],
  ] as const)('from %s, “%s”, ends at %s', (at, pause, expected) => {
    expect(end(at, pause)).toBe(expected);
  });

  test('is counted in the company’s days and zone', () => {
    expect(end('2027-01-04T10:15', 'next-week', [3])).toBe('2027-01-13T09:00');
    // It is Tuesday in Auckland already.
    expect(end('2027-01-04T12:00', 'tomorrow', [1, 2, 3, 4, 5], 'Pacific/Auckland')).toBe('2027-01-05T20:00');
  });
});

test.each([
  ['2027-03-31', 'UTC', '2027-03-31T23:59:59.999Z'],
  ['2027-03-31', 'Europe/London', '2027-03-31T22:59:59.999Z'],
  ['2027-03-28', 'Europe/London', '2027-03-28T22:59:59.999Z'],
  ['2027-10-31', 'Europe/London', '2027-10-31T23:59:59.999Z'],
  ['2027-03-31', 'Pacific/Kiritimati', '2027-03-31T09:59:59.999Z'],
  ['2027-03-31', 'Pacific/Pago_Pago', '2027-04-01T10:59:59.999Z'],
])('the day %s in %s ends at %s', (day, timeZone, end) => expect(endOfDay(day, timeZone)).toEqual(new Date(end)));

import { expect, test } from '@jest/globals';
import { clockText, dayText, momentText, stampText } from '../../../models/contracts/zonedText.ts';

/** Half past eleven at night in UTC: the next day in London’s summer, the same one in New York. */
const LATE = '2026-05-03T23:30:00.000Z';

test.each([
  ['UTC', '3 May 2026', '2026-05-03 23:30', 'Sun 3 May, 23:30', '23:30'],
  ['Europe/London', '4 May 2026', '2026-05-04 00:30', 'Mon 4 May, 00:30', '00:30'],
  ['America/New_York', '3 May 2026', '2026-05-03 19:30', 'Sun 3 May, 19:30', '19:30'],
])('a moment is written as it is in %s', (timeZone, day, stamp, moment, clock) => {
  expect(dayText(LATE, timeZone)).toBe(day);
  expect(dayText(new Date(LATE), timeZone)).toBe(day);
  expect(stampText(LATE, timeZone)).toBe(stamp);
  expect(momentText(new Date(LATE), timeZone)).toBe(moment);
  expect(clockText(new Date(LATE), timeZone)).toBe(clock);
});

test('the clocks of winter are those of the zone', () => {
  expect(dayText('2026-11-03T23:30:00.000Z', 'Europe/London')).toBe('3 Nov 2026');
});

import { expect, test } from '@jest/globals';
import { readCalendarFile } from '../../web/data/calendarFile.ts';

const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const read = (...lines: string[]) =>
  readCalendarFile(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'));

test('reads the bank holidays of a nation, as GOV.UK writes them', () => {
  const days = read(
    ...event('DTEND;VALUE=DATE:20270102', 'DTSTART;VALUE=DATE:20270101', 'SUMMARY:New Year’s Day', 'SEQUENCE:0'),
    ...event('DTEND;VALUE=DATE:20271229', 'DTSTART;VALUE=DATE:20271228', 'SUMMARY:Boxing Day (substitute', '  day)'),
  );
  expect(days).toEqual([
    { day: '2027-01-01', name: 'New Year’s Day' },
    { day: '2027-12-28', name: 'Boxing Day (substitute day)' },
  ]);
});

test.each<[what: string, lines: string[], days: string[]]>([
  [
    'several days, without the end',
    ['DTSTART;VALUE=DATE:20270228', 'DTEND;VALUE=DATE:20270302', 'SUMMARY:A'],
    ['2027-02-28', '2027-03-01'],
  ],
  ['one day without an end', ['DTSTART;VALUE=DATE:20270228', 'SUMMARY:A'], ['2027-02-28']],
  ['one day that ends as it begins', ['DTSTART:20270228', 'DTEND:20270228', 'SUMMARY:A'], ['2027-02-28']],
  [
    '31 days',
    ['DTSTART:20270101', 'DTEND:20270201', 'SUMMARY:A'],
    Array.from({ length: 31 }, (_, at) => `2027-01-${String(at + 1).padStart(2, '0')}`),
  ],
  ['no more than 31', ['DTSTART:20270101', 'DTEND:20270202', 'SUMMARY:A'], []],
  ['nothing with a time of day', ['DTSTART;TZID=Europe/London:20270101T090000', 'SUMMARY:A'], []],
  ['no day that does not exist', ['DTSTART;VALUE=DATE:20271301', 'SUMMARY:A'], []],
  ['nothing that was called off', ['DTSTART:20270101', 'STATUS:CANCELLED', 'SUMMARY:A'], []],
  ['what is confirmed', ['DTSTART:20270101', 'STATUS:CONFIRMED', 'SUMMARY:A'], ['2027-01-01']],
  ['the first day alone of what repeats', ['DTSTART:20270101', 'RRULE:FREQ=YEARLY', 'SUMMARY:A'], ['2027-01-01']],
  ['nothing without a begin', ['SUMMARY:A'], []],
])('reads %s', (_what, lines, days) => {
  expect(read(...event(...lines)).map(({ day }) => day)).toEqual(days);
});

test('reads names with signs that the format escapes, and parameters with a colon', () => {
  const nameOf = (summary: string) => read(...event('DTSTART;VALUE=DATE:20270101', summary))[0]?.name;
  expect(nameOf('SUMMARY:St Andrew\\, patron\\; a\\nday')).toBe('St Andrew, patron; a day');
  expect(nameOf('SUMMARY;ALTREP="http://a.test";LANGUAGE=en:Name: one')).toBe('Name: one');
  expect([nameOf('SUMMARY:'), nameOf('X-OTHER:1'), nameOf(`SUMMARY:${'a'.repeat(101)}`)]).toEqual([
    'Day off',
    'Day off',
    'a'.repeat(100),
  ]);
});

test('reads nothing from what is no calendar', () => {
  for (const text of ['', 'a', 'BEGIN:VEVENT\nDTSTART:20270101', 'DTSTART:20270101\nEND:VEVENT'])
    expect(readCalendarFile(text)).toEqual([]);
});

import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CronExpressionParser } from 'cron-parser';
import { canonicalSchedule, nextRun, nextRunIfAny, nextRuns } from '../../../bot/engine/automation/schedule.ts';
import { CRON_PRESETS } from '../../../models/contracts/automation.ts';
import { stampText } from '../../../models/contracts/zonedText.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const LONDON = 'Europe/London';
const next = (cron: string, after: string, zone = LONDON) => nextRun(cron, zone, new Date(after)).toISOString();

test('nine o’clock stays nine o’clock when the clocks change, in the company’s zone', () => {
  expect(next('0 9 * * 1', '2026-03-23T10:00:00Z')).toBe('2026-03-30T08:00:00.000Z');
  expect(next('0 9 * * 1', '2026-10-19T09:00:00Z')).toBe('2026-10-26T09:00:00.000Z');
  expect(next('0 9 * * 1', '2026-03-22T00:00:00Z', 'Asia/Tokyo')).toBe('2026-03-23T00:00:00.000Z');
});

describe.each([
  ['daily', '2026-03-28T09:00', '2026-03-29T08:00', '2026-10-24T08:00', '2026-10-25T09:00', 365],
  ['weekly', '2026-03-23T09:00', '2026-03-30T08:00', '2026-10-19T08:00', '2026-10-26T09:00', 52],
  ['monthly', '2026-03-01T09:00', '2026-04-01T08:00', '2026-10-01T08:00', '2026-11-01T09:00', 12],
  ['quarterly', '2026-01-01T09:00', '2026-04-01T08:00', '2026-10-01T08:00', '2027-01-01T09:00', 4],
] as const)('the preset %s', (preset, winter, spring, summer, autumn, inYear) => {
  const cron = CRON_PRESETS[preset];

  test('stays at nine over both changes of the clocks', () => {
    const following = (at: string) => next(cron, `${at}:00Z`).slice(0, 16);
    expect([following(winter), following(summer)]).toEqual([spring, autumn]);
  });

  test.each([LONDON, 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata'])(
    'runs at nine each time it should in a year, once, in %s',
    (zone) => {
      const times = nextRuns(cron, zone, inYear + 1, new Date('2025-12-31T12:00:00Z')).map((at) => stampText(at, zone));
      expect(times.filter((at) => at.startsWith('2026'))).toHaveLength(inYear);
      expect(new Set(times.map((at) => at.slice(11)))).toEqual(new Set(['09:00']));
      expect(new Set(times).size).toBe(inYear + 1);
    },
  );
});

test('the next times follow one another, over a change of the clocks', () => {
  const times = (cron: string) =>
    nextRuns(cron, LONDON, 3, new Date('2026-03-16T09:00:00Z')).map((at) => at.toISOString());
  expect(times('0 9 * * 1')).toEqual([
    '2026-03-23T09:00:00.000Z',
    '2026-03-30T08:00:00.000Z',
    '2026-04-06T08:00:00.000Z',
  ]);
  expect(times('at nine')).toEqual([]);
});

test('the next time is after the given moment, never equal to it', () => {
  expect(next('0 9 * * *', '2026-01-05T08:59:59Z')).toBe('2026-01-05T09:00:00.000Z');
  expect(next('0 9 * * *', '2026-01-05T09:00:00Z')).toBe('2026-01-06T09:00:00.000Z');
});

describe('an invalid schedule', () => {
  const FIVE = 'Write five fields (minute, hour, day of the month, month, day of the week), for example 0 9 * * 1';
  test.each([
    ['', `${FIVE} for Mondays at 9:00. There is 1.`],
    ['0 9 * *', `${FIVE} for Mondays at 9:00. There are 4.`],
    ['0 0 9 * * 1', `${FIVE} for Mondays at 9:00. There are 6.`],
    ['H 9 * * *', 'H stands for a random time. Write a fixed one, for example 0 9 * * 1 for Mondays at 9:00.'],
    ['0 9,H * * *', '9,H stands for a random time. Write a fixed one, for example 0 9 * * 1 for Mondays at 9:00.'],
    ['61 9 * * *', '61 is no minute, which takes 0 to 59.'],
    ['0 9 * 13 *', '13 is no month, which takes 1 to 12.'],
    ['at nine', `${FIVE} for Mondays at 9:00. There are 2.`],
    ['@daily', '@daily is a short form. Write it with five fields: 0 0 * * *.'],
    ['0 9 31 2 *', 'It would never run, because the month has no day 31. For its last day write 0 9 L 2 *.'],
  ])('“%s” is refused, with what to write instead', (cron, text) => {
    const refusal = { code: 'bad_request', fields: { cronExpression: text } };
    for (const read of [() => nextRun(cron, LONDON), () => canonicalSchedule(cron)])
      expect(read).toThrow(expect.objectContaining(refusal));
    expect(nextRunIfAny(cron, LONDON, new Date())).toBeNull();
  });

  test('is distinguished from a fault of the reader, which is never mistaken for an old schedule', () => {
    const fault = new Error('the reader is broken');
    const next = () => {
      throw fault;
    };
    jest.spyOn(CronExpressionParser, 'parse').mockReturnValueOnce({ next } as never);
    expect(() => nextRunIfAny('0 9 * * *', LONDON, new Date())).toThrow(fault);
  });

  test('is distinguished from a valid one, whatever its spacing', () => {
    expect(nextRunIfAny(' 0  9 * * * ', LONDON, new Date('2026-01-05T08:00:00Z'))).toEqual(
      new Date('2026-01-05T09:00:00Z'),
    );
  });
});

test('equivalent spellings are one schedule, and it runs at most once an hour', () => {
  const weekly = canonicalSchedule('0 9 * * 1');
  for (const same of ['00 09 * * MON', ' 0 9  * * 1', '0 9 * * 1-1']) expect(canonicalSchedule(same)).toBe(weekly);
  for (const other of ['1 9 * * 1', '0 9 * * 2', '0 9 * * 1#2', '0 9 1 * 1'])
    expect(canonicalSchedule(other)).not.toBe(weekly);
  expect(canonicalSchedule('30 * * * *')).toContain('30');
  for (const often of ['0,30 9 * * *', '*/15 * * * *', '* * * * *'])
    expect(() => canonicalSchedule(often)).toThrow(
      expect.objectContaining({ fields: { cronExpression: expect.stringContaining('an hour apart') } }),
    );
});

test('a time is found before a change of the clocks by half an hour', () => {
  const next = (after: string) => nextRun('0 9 * * *', 'Australia/Lord_Howe', new Date(after)).toISOString();
  for (const after of ['2026-04-03T22:00:00Z', '2026-04-04T08:00:00Z', '2026-04-04T14:00:00Z'])
    expect(next(after)).toBe('2026-04-04T22:30:00.000Z');
});

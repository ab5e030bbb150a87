import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CronExpressionParser } from 'cron-parser';
import { canonicalSchedule, nextRun, nextRunIfAny, nextRuns } from '../../../bot/engine/automation/schedule.ts';

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
  test.each(['', '0 9 * *', '0 0 9 * * 1', 'H 9 * * *', '0 9,H * * *', '0 9 * * H', '61 9 * * *', 'at nine', '@daily'])(
    '“%s” is refused',
    (cron) => {
      const refusal = { code: 'bad_request', fields: { cronExpression: 'Invalid CRON expression' } };
      for (const read of [() => nextRun(cron, LONDON), () => canonicalSchedule(cron)])
        expect(read).toThrow(expect.objectContaining(refusal));
      expect(nextRunIfAny(cron, LONDON, new Date())).toBeNull();
    },
  );

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

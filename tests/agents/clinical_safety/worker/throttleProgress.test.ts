import { describe, expect, test } from '@jest/globals';
import type { Progress, ProgressStep } from '../../../../bot/agents/clinical_safety/worker/jobs.ts';
import { PROGRESS_EVERY_MS, throttleProgress } from '../../../../bot/agents/clinical_safety/worker/throttleProgress.ts';

type Given = [milliseconds: number, step: ProgressStep, done: number, total: number];

/** The reports that are sent, of those made at these moments. */
function sentOf(given: Given[]): Given[] {
  let clock = 0;
  const sent: Given[] = [];
  const report = throttleProgress(
    ({ step, done, total }: Progress) => sent.push([clock, step, done, total]),
    () => clock,
  );
  for (const [at, step, done, total] of given) {
    clock = at;
    report({ step, label: 'A label', done, total });
  }
  return sent;
}

test('progress is sent every 60 ms, and every 30 ms at the end of a step', () => {
  expect(PROGRESS_EVERY_MS).toEqual({ during: 60, end: 30 });
});

describe('of the reported progress is sent', () => {
  test.each<[string, Given[], number[]]>([
    ['the first message, at once', [[0, 'checking', 0, 9]], [0]],
    [
      'the next one of its step after 60 ms at the earliest',
      [
        [5, 'checking', 0, 9],
        [64.9, 'checking', 1, 9],
        [65, 'checking', 2, 9],
        [66, 'checking', 3, 9],
        [124.9, 'checking', 4, 9],
        [125, 'checking', 5, 9],
      ],
      [5, 65, 125],
    ],
    [
      'the last one of its step after 30 ms at the earliest',
      [
        [0, 'checking', 0, 9],
        [29.9, 'checking', 9, 9],
        [30, 'checking', 9, 9],
        [59, 'checking', 9, 9],
        [60, 'checking', 9, 9],
      ],
      [0, 30, 60],
    ],
    [
      'one that is further than its end as its last',
      [
        [0, 'proposing', 0, 0],
        [30, 'proposing', 2, 1],
      ],
      [0, 30],
    ],
    [
      'the first of another step, however soon it comes',
      [
        [0, 'scoring', 0, 9],
        [1, 'matching', 0, 9],
        [2, 'matching', 1, 9],
        [3, 'scoring', 2, 9],
        [62, 'scoring', 3, 9],
        [63, 'scoring', 4, 9],
      ],
      [0, 1, 3, 63],
    ],
  ])('%s', (_what, given, moments) => {
    expect(sentOf(given)).toEqual(given.filter(([at]) => moments.includes(at)));
  });

  test('the message as it was reported', () => {
    const progress: Progress = { step: 'scoring', label: 'Scoring 2 tickets', done: 1, total: 2 };
    const sent: Progress[] = [];
    throttleProgress((message) => sent.push(message))(progress);
    expect(sent).toEqual([progress]);
  });
});

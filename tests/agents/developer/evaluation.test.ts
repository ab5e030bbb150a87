import { expect, test } from '@jest/globals';
import cases from '../../../bot/agents/developer/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/developer/evaluation/evaluate.ts';

test('the labelled objectives are at least thirty, of every kind, and none is missed', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(new Set(cases.map(({ truth }) => truth.kind)).size).toBe(9);
  const { lines, below, notRun } = await evaluate();
  expect([below, notRun]).toEqual([[], []]);
  expect(lines.slice(1)).toEqual(
    [
      `Kind of app: ${cases.length} of ${cases.length}`,
      `Title: ${cases.length} of ${cases.length}`,
      ...[
        'Fields with their types',
        'Answers, limits, rules, columns, points, formulas',
        'Files present, fields in the page',
      ],
      ...['Nothing invented', 'Format valid'],
    ].map((name) => (name.includes(' of ') && /\d$/.test(name) ? name : expect.stringMatching(/: (\d+) of \1$/))),
  );
});

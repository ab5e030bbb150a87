import { expect, test } from '@jest/globals';
import cases from '../../../bot/agents/outreach/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/outreach/evaluation/evaluate.ts';

test('the labelled lists are at least thirty, each with a name of its own, and none is missed', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  const { lines, below, notRun } = await evaluate();
  expect([below, notRun]).toEqual([[], []]);
  expect(lines.slice(1)).toEqual([
    `Who gets a draft: ${cases.length} of ${cases.length}`,
    `Who is left out, with the reason: ${cases.length} of ${cases.length}`,
    expect.stringMatching(/^Names that are missing, greetings: (\d+) of \1$/),
    `Parts of a draft present: ${cases.length} of ${cases.length}`,
    `Nothing invented, nobody who opted out in a file: ${cases.length} of ${cases.length}`,
    `Format valid: ${cases.length * 2} of ${cases.length * 2}`,
  ]);
});

import { expect, test } from '@jest/globals';
import cases from '../../../bot/agents/ops/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/ops/evaluation/evaluate.ts';

test('the labelled descriptions are at least thirty, each with a name of its own, and none is missed', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  const { lines, below, notRun } = await evaluate();
  expect([below, notRun]).toEqual([[], []]);
  expect(lines.slice(1)).toEqual([
    `Steps and who does them: ${cases.length} of ${cases.length}`,
    `Title, purpose, scope, records, exceptions: ${cases.length * 5} of ${cases.length * 5}`,
    expect.stringMatching(/^Words that point to a risk: (\d+) of \1$/),
    `Sections present: ${cases.length} of ${cases.length}`,
    `Facts carried over: ${cases.length * 2} of ${cases.length * 2}`,
    `Nothing invented: ${cases.length * 2} of ${cases.length * 2}`,
    `Format valid: ${cases.length * 2} of ${cases.length * 2}`,
  ]);
});

import { expect, test } from '@jest/globals';
import cases from '../../../bot/agents/marketer/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/marketer/evaluation/evaluate.ts';

test('the labelled texts are at least thirty, each with a name of its own, and none is missed', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  const { lines, below, notRun } = await evaluate();
  expect([below, notRun]).toEqual([[], []]);
  expect(lines.slice(1)).toEqual([
    `Product and audience: ${cases.length * 2} of ${cases.length * 2}`,
    expect.stringMatching(/^Sentences that may be used: (\d+) of \1$/),
    `Claims left out, with their kind: ${cases.length} of ${cases.length}`,
    `Sections present: ${cases.length} of ${cases.length}`,
    `Nothing invented, no flagged claim in the copy: ${cases.length} of ${cases.length}`,
    `Format valid: ${cases.length} of ${cases.length}`,
  ]);
});

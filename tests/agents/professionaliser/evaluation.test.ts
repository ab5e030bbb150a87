import { expect, test } from '@jest/globals';
import cases from '../../../bot/agents/professionaliser/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/professionaliser/evaluation/evaluate.ts';

test('the labelled documents are at least thirty, each with a name of its own, and none is missed', () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  const { lines, below, notRun } = evaluate();
  expect([below, notRun]).toEqual([[], []]);
  expect(lines.slice(1)).toEqual([
    `Title and numbered headings: ${cases.length * 2} of ${cases.length * 2}`,
    `Control block: ${cases.length} of ${cases.length}`,
    expect.stringMatching(/^Weak words and open points: (\d+) of \1$/),
    `Spellings asked about: ${cases.length} of ${cases.length}`,
    `Sections present: ${cases.length} of ${cases.length}`,
    `Facts carried over: ${cases.length * 2} of ${cases.length * 2}`,
    `Nothing invented: ${cases.length} of ${cases.length}`,
    `Format valid: ${cases.length} of ${cases.length}`,
  ]);
});

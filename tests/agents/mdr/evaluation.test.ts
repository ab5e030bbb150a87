import { expect, test } from '@jest/globals';
import cases from '../../../bot/agents/mdr/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/mdr/evaluation/evaluate.ts';

test('the labelled cases are at least thirty, each with a name of its own, and none is missed', () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  const { lines, below, notRun } = evaluate();
  expect([below, notRun]).toEqual([[], []]);
  // The first line says what was measured; one follows for each measure, and a further one for each miss.
  expect(lines.slice(1)).toEqual([
    `Qualification and classes: ${cases.length * 4} of ${cases.length * 4}`,
    expect.stringMatching(/^Applicability of Annex I: (\d+) of \1$/),
    expect.stringMatching(/^Facts carried over: (\d+) of \1$/),
    `Sections present: ${cases.length * 2} of ${cases.length * 2}`,
    `Nothing invented: ${cases.length} of ${cases.length}`,
  ]);
});

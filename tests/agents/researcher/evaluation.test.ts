import { expect, test } from '@jest/globals';
import sets from '../../../bot/agents/researcher/evaluation/cases.json' with { type: 'json' };
import { evaluate } from '../../../bot/agents/researcher/evaluation/evaluate.ts';

test('the labelled questions are at least thirty, each with a name of its own, and none is missed', async () => {
  const { cases } = sets;
  expect(cases.length).toBeGreaterThanOrEqual(30);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  const { lines, below, notRun } = await evaluate();
  expect([below, notRun]).toEqual([[], []]);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^Sentences found: (\d+) of \1$/),
    `Nothing found where nothing answers: ${cases.length} of ${cases.length}`,
    `Words that are in no document: ${cases.length} of ${cases.length}`,
    `Every sentence cited: ${cases.length} of ${cases.length}`,
    `Quotes word for word: ${cases.length} of ${cases.length}`,
    `Sections present, format valid: ${cases.length} of ${cases.length}`,
  ]);
});

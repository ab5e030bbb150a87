import { expect, test } from '@jest/globals';
import { closenessOf } from '../../../../bot/agents/clinical_safety/questions/closeness.ts';

test.each<[score: number, scores: number[], note: string | null]>([
  [27.43, [27.43, 3], 'closest'],
  [3, [27.43, 3], null],
  [3, [3, 3, 1], null],
  [27.43, [27.43], null],
  [0, [], null],
])('an option with %d among %j is said to be: %s', (score, scores, note) => {
  expect(closenessOf(score, scores)).toBe(note);
});

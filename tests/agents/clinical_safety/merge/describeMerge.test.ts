import { expect, test } from '@jest/globals';
import { describeNewHazards } from '../../../../bot/agents/clinical_safety/merge/describeMerge.ts';

test.each([
  [0, 0, '0 new hazards written'],
  [1, 1, '1 new hazard written'],
  [2, 2, '2 new hazards written'],
  [1, 3, '1 new hazard written in 3 rows'],
  [2, 3, '2 new hazards written in 3 rows'],
])('%i hazards in %i rows are “%s”', (hazards, rows, text) => expect(describeNewHazards(hazards, rows)).toBe(text));

test('the log is named before the rows', () => {
  expect(describeNewHazards(1, 3, 'log.xlsx')).toBe('1 new hazard written into log.xlsx in 3 rows');
});

import { describe, expect, test } from '@jest/globals';
import type { QuestionRow } from '../../models/contracts/questionRows.ts';
import { filtersOf, stepWithin } from '../../web/parts/review/rowFilters.ts';

const row = (id: string, more: Partial<QuestionRow> = {}) => ({ id, group: 'Boiler', ...more }) as QuestionRow;
const shown = (rows: QuestionRow[], decided: string[] = [], chosen = 'all', kept: string[] = []) =>
  filtersOf(
    rows,
    ({ id }) => decided.includes(id),
    ({ id }) => kept.includes(id),
    chosen,
  ).map(({ label, rows: at }) => `${label} ${at.join()}`);

describe('the filters of a review', () => {
  test('have the undecided rows, weak evidence, earlier rejections, and each kind', () => {
    const rows = [row('a', { isWeak: true }), row('b', { preselected: 'rejected' }), row('c', { group: 'Pump' })];
    expect(shown(rows, ['b'])).toEqual([
      'All 0,1,2',
      'Undecided 0,2',
      'Weak evidence 0',
      'Rejected before 1',
      'Boiler 0,1',
      'Pump 2',
    ]);
  });

  test('have the decisions that were kept from before, where there are some', () => {
    const rows = [row('a'), row('b'), row('c')];
    expect(shown(rows, ['b', 'c'], 'all', ['c'])).toEqual(['All 0,1,2', 'Undecided 0', 'Kept from before 2']);
    expect(shown(rows, [], 'all', [])).not.toContain('Kept from before ');
  });

  test('leave out what no row has, but never the chosen one, and kinds where there is only one', () => {
    expect(shown([row('a', { preselected: 'accepted' }), row('b', { group: null })], ['a', 'b'])).toEqual(['All 0,1']);
    expect(shown([row('a')], ['a'], 'undecided')).toEqual(['All 0', 'Undecided ']);
  });
});

test.each<[shown: number[], from: number, by: 1 | -1, to: number]>([
  [[0, 1, 2], 1, 1, 2],
  [[0, 1, 2], 1, -1, 0],
  [[0, 1, 2], 2, 1, 2],
  [[0, 1, 2], 0, -1, 0],
  [[0, 4, 7], 4, 1, 7],
  [[0, 4, 7], 5, -1, 4],
  [[0, 4, 7], 5, 1, 7],
  [[], 3, 1, 3],
])('among rows %j, a step from %i by %i leads to %i', (rows, from, by, to) => {
  expect(stepWithin(rows, from, by)).toBe(to);
});

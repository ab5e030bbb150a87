import { describe, expect, test } from '@jest/globals';
import {
  bestMatchText,
  decidedText,
  keepUndecided,
  theUndecided,
  undecidedText,
} from '../../web/parts/review/reviewText.ts';

describe('a review counts its rows in singular and plural', () => {
  test.each([
    [1, 32, '1 of 32 rows is not decided yet.'],
    [2, 32, '2 of 32 rows are not decided yet.'],
    [1, 1, '1 of 1 row is not decided yet.'],
  ])('%i of %i undecided', (undecided, total, text) => {
    expect(undecidedText(undecided, total)).toBe(text);
  });

  test.each([
    [1, 'the undecided row', 'Keep it undecided'],
    [2, 'the 2 undecided', 'Keep them undecided'],
  ])('all undecided at once: %i', (undecided, them, keep) => {
    expect([theUndecided(undecided), keepUndecided(undecided)]).toEqual([them, keep]);
  });

  test.each([
    [
      1,
      '1 row has more than one match and none is chosen. Arc takes the closest match for it, and the record says so.',
    ],
    [
      2,
      '2 rows have more than one match and none is chosen. Arc takes the closest match for each, and the record says so.',
    ],
  ])('rows that take their closest match: %i', (unchosen, text) => {
    expect(bestMatchText(unchosen)).toBe(text);
  });
});

test('decisions are counted by outcome, in a fixed order, without unused outcomes', () => {
  const rows = (['rejected', 'accepted', 'rejected', 'accepted', 'accepted'] as const).map((outcome) => ({ outcome }));
  expect(decidedText(rows)).toBe('3 accepted, 2 rejected.');
  expect(decidedText([...rows, { outcome: 'edited' }])).toBe('3 accepted, 1 edited, 2 rejected.');
});
